package dev.agenthealth.functions.storage.hosts;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retrying;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Which hosts show the health of which agents: by host for whoever asks a host, and once more for the list. Thread-safe. */
public final class HostStore {

    private static final String HOST = "host";
    private static final String AGENT = "agent";
    private static final String UPDATED_AT = "at";

    private static final int LISTED_AT_ONCE = 500;

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final Transactions transactions;

    public HostStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.transactions = new Transactions(dynamoDb, retrying);
    }

    /**
     * The mapping of a host; empty where it has none. One request.
     *
     * @param fresh whether it must be as of now; otherwise it costs half a read unit and may be about a second old
     */
    public Optional<HostMapping> find(String host, boolean fresh) {
        Map<String, AttributeValue> item = retrying.call(
                        "read of a host",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.host(host))
                                .consistentRead(fresh)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(read(item));
    }

    /** Up to {@code limit} mappings after this host, by host; {@code after} is empty at the beginning. */
    public List<HostMapping> page(String after, int limit) {
        List<HostMapping> page = new ArrayList<>();
        Map<String, AttributeValue> start = after.isEmpty() ? Map.of() : RegistryKeys.key(RegistryKeys.HOSTS, after);
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                    .expressionAttributeValues(Map.of(":pk", s(RegistryKeys.HOSTS)))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .limit(limit - page.size())
                    .consistentRead(true)
                    .build();
            QueryResponse response = retrying.call("hosts", () -> dynamoDb.query(request));
            response.items().forEach(item -> page.add(read(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && page.size() < limit);
        return List.copyOf(page);
    }

    /** Maps a host, in place of what it was mapped to before. */
    public void put(HostMapping mapping) {
        Transactions.Items items = new Transactions.Items();
        items.put(tables.registry(), item(RegistryKeys.host(mapping.host()), mapping));
        items.put(tables.registry(), item(RegistryKeys.key(RegistryKeys.HOSTS, mapping.host()), mapping));
        transactions.write("host", items.list());
    }

    /** Takes the mapping of a host away; repeating it changes nothing. */
    public void remove(String host) {
        Transactions.Items items = new Transactions.Items();
        items.delete(tables.registry(), RegistryKeys.host(host));
        items.delete(tables.registry(), RegistryKeys.key(RegistryKeys.HOSTS, host));
        transactions.write("removal of a host", items.list());
    }

    /** Takes away the mappings of all hosts that show an agent's health. */
    public void removeOf(String agentId) {
        String after = "";
        List<HostMapping> page;
        do {
            page = page(after, LISTED_AT_ONCE);
            for (HostMapping mapping : page) {
                if (mapping.agentId().equals(agentId)) {
                    remove(mapping.host());
                }
                after = mapping.host();
            }
        } while (page.size() == LISTED_AT_ONCE);
    }

    private static Map<String, AttributeValue> item(Map<String, AttributeValue> at, HostMapping mapping) {
        Map<String, AttributeValue> item = new HashMap<>(at);
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(HOST, s(mapping.host()));
        item.put(AGENT, s(mapping.agentId()));
        item.put(UPDATED_AT, n(mapping.updatedAt().toEpochMilli()));
        return item;
    }

    private static HostMapping read(Map<String, AttributeValue> item) {
        return new HostMapping(text(item, HOST), text(item, AGENT), moment(item, UPDATED_AT, Instant.EPOCH));
    }
}
