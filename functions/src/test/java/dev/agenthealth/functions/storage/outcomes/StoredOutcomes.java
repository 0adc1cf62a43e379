package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is stored of an agent's outcomes; requests are not counted and never made to fail. */
public final class StoredOutcomes {

    /** The maximum number of batches of a part. */
    public static final int BATCHES_OF_A_PART = SliceItem.MAX_BATCHES;

    private final TestSystem system;
    private final String agentId;

    public StoredOutcomes(TestSystem system, String agentId) {
        this.system = system;
        this.agentId = agentId;
    }

    /** The counts by slice. */
    public SortedMap<Slice, OutcomeCounts> bySlice() {
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        parts().forEach(part -> slices.merge(SliceItem.slice(part), SliceItem.counts(part), OutcomeCounts::plus));
        return slices;
    }

    /** The sum of all slices. */
    public OutcomeCounts total() {
        return bySlice().values().stream().reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
    }

    /** The items of all slices, in their order. */
    public List<Map<String, AttributeValue>> parts() {
        return items(ItemKind.SLICE);
    }

    /** How many batches each part holds, in the order of the parts. */
    public List<Integer> batchesOfParts() {
        return parts().stream()
                .map(part -> part.get(SliceItem.BATCHES).bs().size())
                .toList();
    }

    /** The sizes of all parts in bytes. */
    public List<Integer> sizesOfParts() {
        return parts().stream().map(Sizes::item).toList();
    }

    /** When the parts may be removed. */
    public List<Instant> expiriesOfParts() {
        return parts().stream().map(StoredOutcomes::expiry).toList();
    }

    /** When the arrivals of batches may be removed. */
    public List<Instant> expiriesOfArrivals() {
        return items(ItemKind.BATCH_ARRIVAL).stream()
                .map(StoredOutcomes::expiry)
                .toList();
    }

    /** The slices to which something was added since the agent's health was computed. */
    public Set<Slice> changed() {
        return parts().stream().filter(SliceItem::isDue).map(SliceItem::slice).collect(Collectors.toSet());
    }

    /** Whether the agent's health is due. */
    public boolean isDue() {
        return IntStream.range(0, Tables.MIN_DUE_PARTITIONS).anyMatch(shard -> new DueStore(
                        system.databaseThrough(system.tables().dynamoDb()))
                .due(shard, system.clock().instant(), 10_000)
                .changedSlices()
                .containsKey(agentId));
    }

    /** Removes all due entries, as if the health had been computed and nothing were due before {@code next}. */
    public void settle(Instant next) {
        for (Map<String, AttributeValue> part : parts()) {
            registry().update(Update.of(Attributes.keyOf(part)).removeDue());
        }
        registry()
                .update(Update.of(ItemKind.HEALTH.key(agentId))
                        .setDue(DueEntry.partition(agentId, system.database()), DueEntry.dueAt(next)));
    }

    /** Gives another agent the same slices. */
    public void copyTo(String otherAgentId) {
        for (Map<String, AttributeValue> part : parts()) {
            Map<String, AttributeValue> copy = new HashMap<>(part);
            copy.put(Attributes.PK, Values.s(ItemKind.SLICE.partition(otherAgentId)));
            registry().put(copy);
        }
    }

    private List<Map<String, AttributeValue>> items(ItemKind kind) {
        Query query = Query.partition(kind.partition(agentId))
                .startingWith(kind.prefix())
                .consistent();
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        registry().all(query).forEach(items::add);
        return items;
    }

    private Table registry() {
        return system.databaseThrough(system.tables().dynamoDb()).registry();
    }

    private static Instant expiry(Map<String, AttributeValue> item) {
        return Instant.ofEpochSecond(Long.parseLong(item.get(Attributes.EXPIRES).n()));
    }
}
