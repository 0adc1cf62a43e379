package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Adds batches to slices of agents, each at most once, and reads slices. Thread-safe.
 *
 * <p>A batch goes into the first part that is not full. A part is skipped only when it was read as full and without the batch, and a full part
 * never takes a batch again. So concurrent writes of the same batch meet at the same part, where the condition lets one of them through. The
 * read before only saves writes that would fail.
 */
public final class SliceStore {

    /** After the sort keys of all slices of an agent. */
    private static final String AFTER_SLICES = "O$";

    private final Database database;
    private final Table registry;

    public SliceStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * What a slice says of a batch.
     *
     * @param match how the batch compares with those of the slice
     * @param closed the parts to which the batch cannot be added any more
     */
    record Place(BatchMatch match, Set<Integer> closed) {}

    /** Reads what a slice says of a batch. Includes parts that have expired and are not removed yet. */
    Place find(String agentId, Slice slice, BatchHash batch) {
        Query batches = Query.partition(ItemKind.SLICE.partition(agentId))
                .startingWith(SliceItem.prefix(slice))
                .project(Attributes.SK, SliceItem.BATCHES)
                .consistent();
        BatchMatch match = BatchMatch.NEW;
        Set<Integer> closed = new HashSet<>();
        for (Map<String, AttributeValue> item : registry.all(batches)) {
            BatchMatch here = SliceItem.match(item, batch);
            if (here == BatchMatch.COUNTED) {
                return new Place(here, closed);
            }
            match = here == BatchMatch.NEW ? match : here;
            if (SliceItem.isFull(item)) {
                closed.add(SliceItem.part(item));
            }
        }
        return new Place(match, closed);
    }

    /**
     * Adds the counts of a batch to a slice, and makes the agent's health due in the same write.
     *
     * @param place what the slice said of the batch
     * @param expiry when the slice is no longer read
     * @return {@code false} where the slice holds the batch already
     */
    boolean add(String agentId, Slice slice, OutcomeCounts counts, BatchHash batch, Place place, Instant expiry) {
        if (place.match() == BatchMatch.COUNTED) {
            return false;
        }
        for (int part = 0; ; part++) {
            if (!place.closed().contains(part)) {
                UpdateResult result = registry.updateAndGet(addition(agentId, slice, part, counts, batch, expiry));
                if (result.applied()) {
                    return true;
                }
                if (SliceItem.match(result.item(), batch) == BatchMatch.COUNTED) {
                    // Most likely an earlier attempt of this write added it, and its response was lost.
                    return result.retried();
                }
            }
        }
    }

    private Update addition(
            String agentId, Slice slice, int part, OutcomeCounts counts, BatchHash batch, Instant expiry) {
        Update update = Update.upsert(SliceItem.key(agentId, slice, part))
                .set(Attributes.EXPIRES, seconds(expiry))
                .setDue(DueEntry.partition(agentId, database), DueEntry.AT_ONCE)
                .add(SliceItem.BATCHES, AttributeValue.fromBs(List.of(batch.kept())))
                .when(lacks(batch.kept()))
                .when(lacks(batch.former()))
                .when(Condition.absent(SliceItem.BATCHES)
                        .or(Condition.sizeLessThan(SliceItem.BATCHES, SliceItem.MAX_BATCHES)));
        SliceItem.additions(counts).forEach((name, number) -> update.add(name, n(number)));
        return update;
    }

    private static Condition lacks(SdkBytes batch) {
        return Condition.contains(SliceItem.BATCHES, AttributeValue.fromB(batch))
                .not();
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
            registry.update(
                    Update.of(part.key()).removeDue().when(Condition.sizeEqual(SliceItem.BATCHES, part.batches())));
        }
    }

    /** Stores the closed slices; {@code false} where a concurrent write changed them since they were read. */
    public boolean putClosed(String agentId, ClosedSlices closed, long seenRevision) {
        return registry.put(
                ClosedSlicesItem.of(agentId, closed, seenRevision + 1, database.now()),
                Condition.numberOrAbsent(ClosedSlicesItem.REVISION, seenRevision));
    }
}
