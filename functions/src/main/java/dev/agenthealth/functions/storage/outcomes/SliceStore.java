package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
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
 * <p>A batch goes into the first open part. A part is closed if it is full, or sealed because the agent's expectations changed. A writer
 * skips a part only if it found the part closed and without the batch, and a closed part never takes a batch again. Concurrent writes of
 * the same batch therefore meet at the same part, and the condition of the write accepts one of them. The read before the write only saves
 * writes that would fail.
 */
public final class SliceStore {

    /** A sort key after all slices of an agent. */
    private static final String AFTER_SLICES = "O$";

    private final Database database;
    private final Table registry;
    private final UsageStore usage;

    public SliceStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.usage = new UsageStore(database);
    }

    /**
     * The place of a batch in a slice.
     *
     * @param match the result of comparing the batch with the batches of the slice
     * @param closed the parts that take no more batches
     * @param sealable the open parts whose outcomes were judged by other expectations
     */
    record Place(BatchMatch match, Set<Integer> closed, Set<Integer> sealable) {}

    /** Compares a batch with the parts of a slice, including expired parts that are not removed yet. */
    Place find(String agentId, Slice slice, BatchHash batch, Expectations expected) {
        Query batches = Query.partition(ItemKind.SLICE.partition(agentId))
                .between(SliceItem.prefix(slice), SliceItem.prefix(slice) + SpanBucket.FIRST.name())
                .project(Attributes.SK, SliceItem.BATCHES, SliceItem.SEALED, SliceItem.REVISION)
                .consistent();
        BatchMatch match = BatchMatch.NEW;
        Set<Integer> closed = new HashSet<>();
        Set<Integer> sealable = new HashSet<>();
        Iterable<Map<String, AttributeValue>> items = registry.all(batches)::iterator;
        for (Map<String, AttributeValue> item : items) {
            BatchMatch here = SliceItem.match(item, batch);
            if (here == BatchMatch.COUNTED) {
                return new Place(here, closed, sealable);
            }
            match = here == BatchMatch.NEW ? match : here;
            if (SliceItem.isClosed(item)) {
                closed.add(SliceItem.part(item));
            } else if (!SliceItem.isJudgedBy(item, expected)) {
                sealable.add(SliceItem.part(item));
            }
        }
        return new Place(match, closed, sealable);
    }

    /**
     * An addition to a slice.
     *
     * @param counts the counts that the batch adds, judged by the revision
     * @param expiry the time after which the slice is no longer read
     * @param usage the usage that the batch adds to hours of the agent
     * @param limits the limits for this usage
     */
    record Added(OutcomeCounts counts, int revision, Instant expiry, Map<Long, HourSums> usage, UsageLimits limits) {}

    /**
     * Adds the counts of a batch to a slice, and makes the agent's health due in the same write. Usage is added in one transaction with the counts.
     *
     * @param place the place of the batch as it was found
     * @return {@code false} if the slice already holds the batch
     */
    boolean add(String agentId, Slice slice, Added added, BatchHash batch, Place place) {
        if (place.match() == BatchMatch.COUNTED) {
            return false;
        }
        List<Update> hours = usage.additions(agentId, added.usage(), added.limits());
        for (int part = 0; ; part++) {
            if (place.closed().contains(part)) {
                continue;
            }
            if (!place.sealable().contains(part)) {
                UpdateResult result =
                        write(SliceItem.key(agentId, slice, part), addition(agentId, slice, part, batch, added), hours);
                if (result.applied()) {
                    return true;
                }
                if (SliceItem.match(result.item(), batch) == BatchMatch.COUNTED) {
                    // An earlier attempt of this write most likely added the batch, and its response was lost.
                    return result.retried();
                }
                if (SliceItem.isClosed(result.item())) {
                    continue;
                }
            }
            if (!seal(agentId, slice, part, batch)) {
                return false;
            }
        }
    }

    private UpdateResult write(Map<String, AttributeValue> part, Update addition, List<Update> hours) {
        if (hours.isEmpty()) {
            return registry.updateAndGet(addition);
        }
        Transaction transaction = database.transaction().update(registry, addition);
        hours.forEach(hour -> transaction.update(registry, hour));
        return transaction.commit()
                ? new UpdateResult(true, Map.of(), false)
                : new UpdateResult(false, registry.get(part, true), false);
    }

    /**
     * Closes a part whose outcomes were judged by other expectations, so that no request with those expectations adds the batch to the part
     * later.
     *
     * @return {@code false} if the part holds the batch
     */
    private boolean seal(String agentId, Slice slice, int part, BatchHash batch) {
        UpdateResult result = registry.updateAndGet(Update.of(SliceItem.key(agentId, slice, part))
                .set(SliceItem.SEALED, n(1))
                .when(Condition.exists(SliceItem.BATCHES))
                .when(lacks(batch.kept())));
        return result.applied() || SliceItem.match(result.item(), batch) != BatchMatch.COUNTED;
    }

    private Update addition(String agentId, Slice slice, int part, BatchHash batch, Added added) {
        return SliceItem.addition(
                        SliceItem.key(agentId, slice, part),
                        DueEntry.partition(agentId, database),
                        List.of(batch.kept()),
                        added.counts(),
                        added.revision(),
                        added.expiry(),
                        added.usage())
                .when(lacks(batch.kept()))
                .when(Condition.absent(SliceItem.BATCHES)
                        .or(Condition.sizeLessThan(SliceItem.BATCHES, SliceItem.MAX_BATCHES)
                                .and(SliceItem.isOpen(added.revision()))));
    }

    static Condition lacks(SdkBytes batch) {
        return Condition.contains(SliceItem.BATCHES, AttributeValue.fromB(batch))
                .not();
    }

    /** Returns the slices of an agent that start at this epoch second or later, judged by these expectations; strongly consistent. */
    public ReadSlices readFrom(String agentId, long start, Expectations expected) {
        return read(agentId, SliceItem.startingAt(start), AFTER_SLICES, expected);
    }

    /** Returns a slice of an agent, judged by these expectations; strongly consistent, empty if it holds no outcome. */
    public ReadSlices read(String agentId, Slice slice, Expectations expected) {
        String prefix = SliceItem.prefix(slice);
        return read(agentId, prefix, prefix + "~", expected);
    }

    /**
     * Returns the executions without usage of an agent within an hour, by source, strongly consistent. Costs one query.
     *
     * @param window the agent's window, whose slices may begin before the hour
     */
    public Map<UsageSource, Long> withoutUsage(String agentId, long hour, MeasurementWindow window) {
        long begin = Math.min(
                HourUsage.start(hour).getEpochSecond(),
                window.sliceAt(HourUsage.start(hour)).start());
        Query query = Query.partition(ItemKind.SLICE.partition(agentId))
                .between(
                        SliceItem.startingAt(begin),
                        SliceItem.startingAt(HourUsage.start(hour + 1).getEpochSecond()))
                .consistent();
        Map<UsageSource, Long> executions = new EnumMap<>(UsageSource.class);
        registry.all(query).forEach(item -> SliceItem.withoutUsage(item)
                .getOrDefault(hour, Map.of())
                .forEach((source, number) -> executions.merge(source, number, Long::sum)));
        return executions;
    }

    private ReadSlices read(String agentId, String first, String last, Expectations expected) {
        Query query = Query.partition(ItemKind.SLICE.partition(agentId))
                .between(first, last)
                .consistent();
        SortedMap<Slice, OutcomeCounts> counts = new TreeMap<>();
        List<ReadSlices.ChangedPart> changed = new ArrayList<>();
        registry.all(query).forEach(item -> {
            counts.merge(SliceItem.slice(item), SliceItem.counts(item, expected), OutcomeCounts::plus);
            if (SliceItem.isDue(item)) {
                changed.add(new ReadSlices.ChangedPart(
                        Attributes.keyOf(item),
                        SliceItem.batchCount(item),
                        SliceItem.hoursOfUsage(item),
                        SliceItem.withoutUsage(item).keySet()));
            }
        });
        return new ReadSlices(counts, changed);
    }

    /** Makes parts of slices whose health is stored no longer due. A part stays due if batches were added since it was read. */
    public void settle(List<ReadSlices.ChangedPart> parts) {
        for (ReadSlices.ChangedPart part : parts) {
            registry.update(
                    Update.of(part.key()).removeDue().when(Condition.sizeEqual(SliceItem.BATCHES, part.batches())));
        }
    }

    /** Stores the closed slices. Returns {@code false} if a concurrent write changed them since they were read. */
    public boolean putClosed(String agentId, ClosedSlices closed, long seenRevision) {
        return registry.put(
                ClosedSlicesItem.of(agentId, closed, seenRevision + 1, database.now()),
                Condition.numberOrAbsent(ClosedSlicesItem.REVISION, seenRevision));
    }
}
