package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads slices of agents, and stores which of them are closed. Thread-safe. */
public final class SliceStore {

    /** After the sort keys of all slices of an agent. */
    private static final String AFTER_SLICES = "O$";

    private final Database database;
    private final Table registry;

    public SliceStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** The slices of an agent that start at this epoch second or later, strongly consistent. */
    public ReadSlices readFrom(String agentId, long start) {
        return read(agentId, SliceItem.startingAt(start), AFTER_SLICES);
    }

    /** One slice of an agent, strongly consistent; empty where it holds nothing. */
    public ReadSlices read(String agentId, Slice slice) {
        String prefix = SliceItem.prefix(slice);
        return read(agentId, prefix, prefix + "~");
    }

    private ReadSlices read(String agentId, String first, String last) {
        Query query = Query.partition(ItemKind.SLICE.partition(agentId))
                .between(first, last)
                .consistent();
        SortedMap<Slice, OutcomeCounts> counts = new TreeMap<>();
        List<ReadSlices.ChangedPart> changed = new ArrayList<>();
        for (Map<String, AttributeValue> item : registry.all(query)) {
            counts.merge(SliceItem.slice(item), SliceItem.counts(item), OutcomeCounts::plus);
            if (SliceItem.isDue(item)) {
                changed.add(new ReadSlices.ChangedPart(Attributes.keyOf(item), SliceItem.batchCount(item)));
            }
        }
        return new ReadSlices(counts, changed);
    }

    /** Makes parts of slices whose health is stored no longer due, except those that hold more batches than when they were read. */
    public void settle(List<ReadSlices.ChangedPart> parts) {
        for (ReadSlices.ChangedPart part : parts) {
            registry.update(Update.of(part.key())
                    .remove(Attributes.DUE_PK, Attributes.DUE_SK)
                    .when(Condition.sizeEqual(SliceItem.BATCHES, part.batches())));
        }
    }

    /** Stores the closed slices; {@code false} where a concurrent write changed them since they were read. */
    public boolean putClosed(String agentId, ClosedSlices closed, long seenRevision) {
        return registry.put(
                ClosedSlicesItem.of(agentId, closed, seenRevision + 1, database.now()),
                Condition.numberOrAbsent(ClosedSlicesItem.REVISION, seenRevision));
    }
}
