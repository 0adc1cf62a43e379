package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records invocations as the gateway does, each once, and shows what is stored of them. */
public final class RecordedInvocations {

    private final TestSystem system;
    private final Database database;

    public RecordedInvocations(TestSystem system) {
        this(system, system.dynamoDb());
    }

    /** Through another client. */
    public RecordedInvocations(TestSystem system, DynamoDbClient dynamoDb) {
        this.system = system;
        this.database = system.databaseThrough(dynamoDb);
    }

    /** Records an invocation; {@code false} where one with this receipt was recorded before. */
    public boolean record(Invocation invocation) {
        Map<String, AttributeValue> once = Attributes.key("Z#" + invocation.receiptId(), "test");
        Transaction transaction =
                database.transaction().put(database.registry(), once, Condition.absent(Attributes.PK));
        InvocationWrites.add(transaction, database.registry(), invocation);
        return transaction.commit();
    }

    /** The track record of an agent or a provider. */
    public TrackRecord of(TrustSubject subject) {
        return new TrackRecordStore(system.databaseThrough(system.tables().dynamoDb()), Runnable::run)
                .of(List.of(subject))
                .get(subject);
    }

    /** The number of invocations in each item of figures of a subject. */
    public Map<String, Long> byItem(TrustSubject subject) {
        Map<String, Long> counts = new TreeMap<>();
        for (Map<String, AttributeValue> item : items(subject, item -> !LoggedInvocationItem.is(item))) {
            TrackRecord figures = TrackRecordItem.read(item);
            counts.put(
                    Values.text(item, Attributes.PK) + " " + Values.text(item, Attributes.SK),
                    figures.successes() + figures.failures());
        }
        return counts;
    }

    /** The number of invocations in the log of each partition. */
    public Map<String, Long> byPartition(TrustSubject subject) {
        Map<String, Long> counts = new TreeMap<>();
        items(subject, LoggedInvocationItem::is)
                .forEach(item -> counts.merge(Values.text(item, Attributes.PK), 1L, Long::sum));
        return counts;
    }

    /** The sizes in bytes of all items of a subject. */
    public List<Integer> sizes(TrustSubject subject) {
        return items(subject, item -> true).stream().map(Sizes::item).toList();
    }

    /** Removes the log, as DynamoDB does when it has expired. */
    public void removeLog(TrustSubject subject) {
        registry()
                .deleteAll(items(subject, LoggedInvocationItem::is).stream()
                        .map(Attributes::keyOf)
                        .toList());
    }

    private List<Map<String, AttributeValue>> items(
            TrustSubject subject, Predicate<Map<String, AttributeValue>> wanted) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        for (String partition : TrackRecordPlace.partitions(subject)) {
            Query query = Query.partition(partition).between("F#", "G#~").consistent();
            registry().all(query).forEach(items::add);
        }
        items.removeIf(wanted.negate());
        return items;
    }

    /** Not counted, and never made to fail. */
    private Table registry() {
        return system.databaseThrough(system.tables().dynamoDb()).registry();
    }
}
