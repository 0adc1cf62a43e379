package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.trust.Invocation;
import dev.agenthealth.model.trust.TrackRecord;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.testkit.ItemSize;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;

/** Records invocations as the gateway does, with something in the same transaction that happens once, and shows what is stored of them. */
public final class RecordedInvocations {

    private static final Tables TABLES = new Tables(TestTables.PULSES, TestTables.REGISTRY);

    private final TestSystem system;
    private final Transactions transactions;

    public RecordedInvocations(TestSystem system) {
        this(system, system.dynamoDb());
    }

    /** Through another client. */
    public RecordedInvocations(TestSystem system, DynamoDbClient dynamoDb) {
        this.system = system;
        this.transactions = new Transactions(dynamoDb, new Retries(system.clock(), system.pause()));
    }

    /** Records an invocation; {@code false} where one with this receipt was recorded before. */
    public boolean record(Invocation invocation) {
        Transactions.Items items = new Transactions.Items();
        items.put(Put.builder()
                .tableName(TABLES.registry())
                .item(RegistryKeys.key("Z#" + invocation.receiptId(), "test"))
                .conditionExpression("attribute_not_exists(#pk)")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK)));
        InvocationWrites.add(items, TABLES, invocation);
        return transactions.write("invocation", items.list());
    }

    /** What is stored of an agent or a provider. */
    public TrackRecord of(TrustSubject subject) {
        return system.storesThrough(system.tables().dynamoDb())
                .trackRecords(Runnable::run)
                .of(List.of(subject))
                .get(subject);
    }

    /** How many invocations each item of figures of a subject was told of. */
    public Map<String, Long> byItem(TrustSubject subject) {
        Map<String, Long> counts = new TreeMap<>();
        for (Map<String, AttributeValue> item : items(subject, item -> !LoggedInvocationItem.is(item))) {
            TrackRecord figures = FiguresItem.read(item);
            counts.put(
                    Values.text(item, RegistryKeys.PK) + " " + Values.text(item, RegistryKeys.SK),
                    figures.successes() + figures.failures());
        }
        return counts;
    }

    /** How many invocations stand in the log of each partition. */
    public Map<String, Long> byPartition(TrustSubject subject) {
        Map<String, Long> counts = new TreeMap<>();
        items(subject, LoggedInvocationItem::is)
                .forEach(item -> counts.merge(Values.text(item, RegistryKeys.PK), 1L, Long::sum));
        return counts;
    }

    /** The sizes in bytes of all items of a subject. */
    public List<Integer> sizes(TrustSubject subject) {
        return items(subject, item -> true).stream().map(ItemSize::of).toList();
    }

    /** Takes the log away, as DynamoDB does when its time has come. */
    public void removeLog(TrustSubject subject) {
        for (Map<String, AttributeValue> item : items(subject, LoggedInvocationItem::is)) {
            Map<String, AttributeValue> key = new HashMap<>(item);
            key.keySet().retainAll(List.of(RegistryKeys.PK, RegistryKeys.SK));
            system.tables().dynamoDb().deleteItem(r -> r.tableName(TABLES.registry())
                    .key(key));
        }
    }

    private List<Map<String, AttributeValue>> items(
            TrustSubject subject, Predicate<Map<String, AttributeValue>> wanted) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        for (String partition : FiguresPlace.partitions(subject)) {
            system
                    .tables()
                    .dynamoDb()
                    .queryPaginator(r -> r.tableName(TABLES.registry())
                            .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                            .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                            .expressionAttributeValues(Map.of(
                                    ":pk", Values.s(partition),
                                    ":from", Values.s(RegistryKeys.INVOCATION_PREFIX),
                                    ":to", Values.s(RegistryKeys.FIGURES_PREFIX + "~")))
                            .consistentRead(true))
                    .items()
                    .stream()
                    .filter(wanted)
                    .forEach(items::add);
        }
        return items;
    }
}
