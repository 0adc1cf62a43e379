package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Who belongs to a role, and which pools are below the minimum that a workflow declares. Thread-safe. */
public final class PoolStore {

    /** Begins the sort keys of the marks of pools below their minimum, beside the workflows that declare it. */
    private static final String MARK_PREFIX = "B#";

    private static final String SINCE = "since";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final BatchReads reads;
    private final Clock clock;

    public PoolStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.reads = new BatchReads(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * The pools that somebody wants to know about, as of one reading.
     *
     * @param minimums the fewest active members, at least 1, by role; without the pools of any size
     * @param belowSince since when pools were noted to be below their minimum, by role, declared still or not
     */
    public record Watch(Map<String, Integer> minimums, Map<String, Instant> belowSince) {

        public Watch {
            minimums = Map.copyOf(minimums);
            belowSince = Map.copyOf(belowSince);
        }
    }

    /** All declared minimums and all marks, as of now. One query. */
    public Watch watch() {
        Map<String, Integer> minimums = new HashMap<>();
        Map<String, Instant> belowSince = new HashMap<>();
        for (Map<String, AttributeValue> item : partition(RegistryKeys.WORKFLOWS, Integer.MAX_VALUE, true)) {
            String place = text(item, RegistryKeys.SK);
            if (place.startsWith(MARK_PREFIX)) {
                belowSince.put(place.substring(MARK_PREFIX.length()), moment(item, SINCE, Instant.EPOCH));
            } else {
                item.getOrDefault(WorkflowStore.MINIMUMS, AttributeValue.fromM(Map.of()))
                        .m()
                        .forEach((roleId, minimum) -> minimums.put(roleId, Integer.valueOf(minimum.n())));
            }
        }
        return new Watch(minimums, belowSince);
    }

    /** Marks a pool as below its minimum, with the event; {@code false} where it was marked before. */
    public boolean mark(String roleId, Instant since, Event event) {
        Map<String, AttributeValue> item = new HashMap<>(markKey(roleId));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(SINCE, n(since.toEpochMilli()));
        Transactions.Items items = new Transactions.Items();
        items.put(Put.builder()
                .tableName(tables.registry())
                .item(item)
                .conditionExpression("attribute_not_exists(#pk)")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK)));
        EventWrites.add(items, tables.registry(), List.of(event), clock.instant());
        return transactions.write("pool below its minimum", items.list());
    }

    /** Takes the mark of a pool that recovered away; {@code false} where that mark is gone, or is a later one. */
    public boolean unmark(String roleId, Instant since) {
        Transactions.Items items = new Transactions.Items();
        items.delete(Delete.builder()
                .tableName(tables.registry())
                .key(markKey(roleId))
                .conditionExpression("#since = :since")
                .expressionAttributeNames(Map.of("#since", SINCE))
                .expressionAttributeValues(Map.of(":since", n(since.toEpochMilli()))));
        return transactions.write("pool that recovered", items.list());
    }

    /** The pulses of up to {@code most} agents of a role that are not buried, by agent id. */
    public TreeMap<String, Pulse> members(String roleId, int most) {
        List<Map<String, AttributeValue>> keys = partition(RegistryKeys.role(roleId), most, false).stream()
                .map(tag -> PulseItem.key(text(tag, RegistryKeys.SK)))
                .toList();
        TreeMap<String, Pulse> members = new TreeMap<>();
        for (Map<String, AttributeValue> row : reads.get(tables.pulses(), keys)) {
            if (!PulseItem.isCanary(row)) {
                Pulse pulse = PulseItem.read(row);
                members.put(pulse.agentId(), pulse);
            }
        }
        return members;
    }

    /** These agents with their profiles, in their order; those without a profile are left out. */
    public List<StoredAgent> withProfiles(List<Pulse> pulses) {
        Map<String, Map<String, AttributeValue>> items = new HashMap<>();
        List<Map<String, AttributeValue>> keys =
                pulses.stream().map(p -> RegistryKeys.profile(p.agentId())).toList();
        reads.get(tables.registry(), keys).forEach(item -> items.put(text(item, RegistryKeys.PK), item));
        List<StoredAgent> agents = new ArrayList<>();
        for (Pulse pulse : pulses) {
            Map<String, AttributeValue> item = items.getOrDefault(RegistryKeys.agent(pulse.agentId()), Map.of());
            if (!item.isEmpty()) {
                AgentProfile profile = ProfileItem.read(pulse.agentId(), item, Map.of());
                agents.add(new StoredAgent(pulse, profile, List.of(), false, ProfileItem.revision(item)));
            }
        }
        return agents;
    }

    private static Map<String, AttributeValue> markKey(String roleId) {
        return RegistryKeys.key(RegistryKeys.WORKFLOWS, MARK_PREFIX + roleId);
    }

    private List<Map<String, AttributeValue>> partition(String partition, int most, boolean consistent) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                    .expressionAttributeValues(Map.of(":pk", s(partition)))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .limit(most == Integer.MAX_VALUE ? null : most - items.size())
                    .consistentRead(consistent)
                    .build();
            QueryResponse response = retries.call("pool", () -> dynamoDb.query(request));
            items.addAll(response.items());
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && items.size() < most);
        return items;
    }
}
