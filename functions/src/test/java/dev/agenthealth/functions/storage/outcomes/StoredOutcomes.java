package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.health.MarkItem;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import dev.agenthealth.testkit.ItemSize;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What stands in the tables of an agent's outcomes, read past the meter and the faults. */
public final class StoredOutcomes {

    /** How many batches a part takes. */
    public static final int BATCHES_OF_A_PART = SliceItem.MAX_BATCHES;

    private final TestSystem system;
    private final String agentId;

    public StoredOutcomes(TestSystem system, String agentId) {
        this.system = system;
        this.agentId = agentId;
    }

    /** The counts by slice. */
    public SortedMap<Slice, OutcomeCounts> bySlice() {
        return SliceItem.bySlice(parts());
    }

    /** The sum of all slices. */
    public OutcomeCounts total() {
        return bySlice().values().stream().reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
    }

    /** The items of all slices, in their order. */
    public List<Map<String, AttributeValue>> parts() {
        return items(RegistryKeys.SLICE_PREFIX);
    }

    /** How many batches each part holds, in the order of the parts. */
    public List<Integer> batchesOfParts() {
        return parts().stream()
                .map(part -> part.get(SliceItem.BATCHES).bs().size())
                .toList();
    }

    /** The sizes of all parts in bytes. */
    public List<Integer> sizesOfParts() {
        return parts().stream().map(ItemSize::of).toList();
    }

    /** When the parts may be removed. */
    public List<Instant> expiriesOfParts() {
        return parts().stream().map(StoredOutcomes::expiry).toList();
    }

    /** When the arrivals of batches may be removed. */
    public List<Instant> expiriesOfArrivals() {
        return items("B#").stream().map(StoredOutcomes::expiry).toList();
    }

    /** The slices to which something was added since the agent's health was computed. */
    public Set<Slice> changed() {
        return parts().stream()
                .filter(SliceItem::isMarked)
                .map(SliceItem::slice)
                .collect(Collectors.toSet());
    }

    /** Whether the agent's health is to be computed at once. */
    public boolean isDue() {
        return IntStream.range(0, Tables.MIN_DUE_PARTITIONS).anyMatch(shard -> system
                .storesThrough(system.tables().dynamoDb())
                .marks()
                .due(shard, system.clock().instant(), 10_000)
                .agents()
                .stream()
                .anyMatch(due -> due.agentId().equals(agentId)));
    }

    /** Takes all marks away, as if the health had been computed and nothing were due before {@code next}. */
    public void settle(Instant next) {
        for (Map<String, AttributeValue> part : parts()) {
            system.tables().dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                    .key(Map.of(RegistryKeys.PK, part.get(RegistryKeys.PK), RegistryKeys.SK, part.get(RegistryKeys.SK)))
                    .updateExpression("REMOVE #dp, #ds")
                    .expressionAttributeNames(Map.of("#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK)));
        }
        system.tables().dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                .key(RegistryKeys.health(agentId))
                .updateExpression("SET #dp = :dp, #ds = :ds REMOVE #late")
                .expressionAttributeNames(
                        Map.of("#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK, "#late", MarkItem.LATE))
                .expressionAttributeValues(Map.of(
                        ":dp",
                        Values.s(MarkItem.partition(agentId, new Tables(TestTables.PULSES, TestTables.REGISTRY))),
                        ":ds",
                        Values.s(MarkItem.dueAt(next)))));
    }

    /** Gives another agent the same slices. */
    public void copyTo(String otherAgentId) {
        for (Map<String, AttributeValue> part : parts()) {
            Map<String, AttributeValue> copy = new HashMap<>(part);
            copy.put(RegistryKeys.PK, Values.s(RegistryKeys.agent(otherAgentId)));
            system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                    .item(copy));
        }
    }

    private List<Map<String, AttributeValue>> items(String prefix) {
        return system
                .tables()
                .dynamoDb()
                .queryPaginator(r -> r.tableName(TestTables.REGISTRY)
                        .keyConditionExpression("#pk = :pk AND begins_with(#sk, :prefix)")
                        .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                        .expressionAttributeValues(
                                Map.of(":pk", Values.s(RegistryKeys.agent(agentId)), ":prefix", Values.s(prefix)))
                        .consistentRead(true))
                .items()
                .stream()
                .toList();
    }

    private static Instant expiry(Map<String, AttributeValue> item) {
        return Instant.ofEpochSecond(
                Long.parseLong(item.get(RegistryKeys.EXPIRES).n()));
    }
}
