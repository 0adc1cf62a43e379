package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.usage.OpenExecutionStore;
import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.outcome.Evaluation;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.telemetry.EvaluationEvent;
import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.ExecutionParents;
import dev.agenthealth.model.registry.telemetry.OpenExecutions;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import dev.agenthealth.model.registry.telemetry.SpanUsage;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counts executions that spans report. A span counts once in its slice, whatever the number and batches of its arrivals. Thread-safe.
 *
 * <p>The parts of a slice that hold spans store a hash of each span, instead of a hash of each batch. They form a tree of buckets
 * ({@link SpanBucket}): a span belongs to the first bucket on its way down that is not full. In each bucket, only the last part is open.
 *
 * <p>A write adds spans that no part holds. Its condition is that the last part still lacks them and is still open, or is exactly as it was
 * read. If two requests have the same span, only one of them counts it. The number of spans that a request reads does not grow with the
 * slice, because the spans of a request ended at about the same time.
 */
public final class SpanStore {

    /** The number of bytes of a span's hash. Among 100,000 spans of one slice, one is mistaken for another with a probability of 2 in 100,000. */
    private static final int HASH_BYTES = 4;

    /** The number of spans at which a part is closed. A typical part stays below 1 KB, which is one write unit for a request. */
    private static final int FULL = 64;

    /**
     * The maximum number of spans that one write adds. A part with values in all counters and buckets then stays below 3 KB. The write
     * costs 3 write units, and one more for the index.
     */
    private static final int MAX_SPANS_OF_A_WRITE = 295;

    /** The maximum number of such spans if they have versions. An expression has at most 4 KB, and each latency of a version is one attribute. */
    private static final int MAX_SPANS_OF_VERSIONS = 100;

    /** The maximum number of spans that a condition names one by one: an expression has at most 300 operators. */
    private static final int MAX_NAMED = 64;

    private final Database database;
    private final Table registry;
    private final UsageStore usage;
    private final OpenExecutionStore openExecutions;

    public SpanStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.usage = new UsageStore(database);
        this.openExecutions = new OpenExecutionStore(database);
    }

    /**
     * The last part of a bucket.
     *
     * @param number from 0; -1 if the bucket has no part
     * @param closed whether it takes no more spans; a closed part never opens again
     * @param sealable whether it is open, and its outcomes were judged by other expectations
     */
    private record LastPart(int number, int spans, boolean closed, boolean sealable) {

        static final LastPart NONE = new LastPart(-1, 0, true, false);

        boolean fillsBucket() {
            return closed && number == SpanBucket.MAX_PARTS - 1;
        }
    }

    /** The slice of an agent in which executions are counted. */
    private record Place(
            String agentId, Slice slice, MeasurementWindow window, Expectations expected, ExecutionParents parents) {

        Map<String, AttributeValue> key(SpanBucket bucket, int part) {
            return Attributes.key(ItemKind.SLICE.partition(agentId), sortKey(bucket, part));
        }

        String sortKey(SpanBucket bucket, int part) {
            return SliceItem.prefix(slice) + bucket.part(part);
        }
    }

    private record Span(OutcomeCounts counts, Instant endedAt, HourSums usage, Optional<SpanKey> parent) {}

    /** The executions that may still go on, before and after a write. */
    private record Open(OpenExecutions before, OpenExecutions after) {

        static final Open NONE = new Open(OpenExecutions.NONE, OpenExecutions.NONE);

        boolean isChanged() {
            return !before.equals(after);
        }
    }

    /**
     * A span to count.
     *
     * @param key the ids of the span
     * @param endedAt the end of the span
     * @param outcome the outcome of the execution; empty if the span is a call within an execution
     * @param evaluation the evaluation of an execution; {@link Evaluation#NONE} for a span
     * @param usage the tokens and calls in the span
     * @param parent the span around a call; empty for a call without one, and for other spans
     */
    public record CountedSpan(
            SpanKey key,
            Instant endedAt,
            Optional<Outcome> outcome,
            Evaluation evaluation,
            HourSums usage,
            Optional<SpanKey> parent) {

        /** Returns the execution in a span. Without usage, it counts for the source of calls, as an execution with calls does. */
        public static CountedSpan of(Execution execution, HourSums usage) {
            return new CountedSpan(
                    execution.span().key(),
                    execution.endedAt(),
                    Optional.of(execution.outcome()),
                    Evaluation.NONE,
                    usage.usage().isNone() ? usage.plus(HourSums.ofExecution(UsageSource.CALL_SPANS)) : usage,
                    Optional.empty());
        }

        /** Returns a call within an execution. */
        public static CountedSpan ofCall(SpanUsage call, HourSums usage) {
            return new CountedSpan(
                    call.span().key(),
                    call.endedAt(),
                    Optional.empty(),
                    Evaluation.NONE,
                    usage,
                    call.span().parent());
        }

        /** Returns the evaluation of an execution. */
        public static CountedSpan of(EvaluationEvent event) {
            return new CountedSpan(
                    event.key(), event.at(), Optional.empty(), event.evaluation(), HourSums.NONE, Optional.empty());
        }
    }

    /**
     * Counts executions and calls of an agent that are not counted yet, and makes its health due.
     *
     * @param profile the current profile of the agent
     * @param parents the spans around the calls
     * @throws StorageBusyException if the storage stays busy; some spans may be counted nevertheless
     */
    public void count(Collection<CountedSpan> spans, AgentProfile profile, ExecutionParents parents) {
        MeasurementWindow window = profile.basis().window();
        Expectations expected = profile.basis().expectations();
        Map<Slice, Map<SdkBytes, Span>> slices = new HashMap<>();
        for (CountedSpan span : spans) {
            OutcomeCounts counts = span.outcome()
                    .map(outcome -> OutcomeCounts.of(outcome, OutcomeSource.TELEMETRY, expected))
                    .orElseGet(() -> span.evaluation().countsOfEvent());
            slices.computeIfAbsent(window.sliceAt(span.endedAt()), slice -> new LinkedHashMap<>())
                    .putIfAbsent(hash(span.key()), new Span(counts, span.endedAt(), span.usage(), span.parent()));
        }
        slices.forEach((slice, some) ->
                count(new Place(profile.agentId(), slice, window, expected, parents), SpanBucket.FIRST, some));
    }

    /** Counts spans in a bucket and, when the bucket is full, in the buckets below it. */
    private void count(Place place, SpanBucket bucket, Map<SdkBytes, Span> spans) {
        LastPart last = readAndRemoveCounted(place, bucket, LastPart.NONE, spans);
        while (!spans.isEmpty() && !last.fillsBucket()) {
            LastPart known = last;
            last = OptimisticUpdates.untilPresent(
                    known,
                    // All parts before the last part are closed, and stay as they were read.
                    () -> readAndRemoveCounted(place, bucket, known, spans),
                    seen -> add(place, bucket, seen, spans));
        }
        Map<SpanBucket, Map<SdkBytes, Span>> below = new HashMap<>();
        spans.forEach((hash, span) -> below.computeIfAbsent(
                        bucket.below(place.slice(), span.endedAt(), hash), next -> new LinkedHashMap<>())
                .put(hash, span));
        below.forEach((next, some) -> count(place, next, some));
    }

    /** Adds some spans and returns the new last part; empty if the bucket is no longer as it was seen. */
    private Optional<LastPart> add(Place place, SpanBucket bucket, LastPart seen, Map<SdkBytes, Span> spans) {
        if (spans.isEmpty() || seen.fillsBucket()) {
            return Optional.of(seen);
        }
        if (seen.sealable()) {
            seal(place.key(bucket, seen.number()), seen.spans());
            return Optional.empty();
        }
        int part = seen.closed() ? seen.number() + 1 : seen.number();
        int held = seen.closed() ? 0 : seen.spans();
        boolean versions = spans.values().stream()
                .anyMatch(span -> !span.usage().versions().isEmpty());
        List<SdkBytes> some = spans.keySet().stream()
                .limit(versions ? MAX_SPANS_OF_VERSIONS : MAX_SPANS_OF_A_WRITE)
                .toList();
        OutcomeCounts counts =
                some.stream().map(hash -> spans.get(hash).counts()).reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        Map<Long, HourSums> hours = new HashMap<>();
        for (SdkBytes hash : some) {
            Span span = spans.get(hash);
            if (!span.usage().isNone()) {
                hours.merge(HourUsage.at(span.endedAt()), span.usage(), HourSums::plus);
            }
        }
        Open open = open(place, some, spans, hours);
        Update addition = addition(place, place.key(bucket, part), some, counts, hours)
                .when(condition(some, held, place.expected()));
        if (!write(place, addition, hours, open)) {
            return Optional.empty();
        }
        some.forEach(spans::remove);
        return Optional.of(new LastPart(part, held + some.size(), held + some.size() >= FULL, false));
    }

    private boolean write(Place place, Update addition, Map<Long, HourSums> hours, Open open) {
        List<Update> updates =
                usage.additions(place.agentId(), hours, place.expected().limits());
        if (updates.isEmpty() && !open.isChanged()) {
            return registry.update(addition);
        }
        Transaction transaction = database.transaction().update(registry, addition);
        updates.forEach(hour -> transaction.update(registry, hour));
        if (open.isChanged()) {
            openExecutions.put(transaction, place.agentId(), open.before(), open.after());
        }
        return transaction.commit();
    }

    /** Adds calls to the executions that may still go on, if the agent limits executions. Adds what came near a limit to the hour of the last span. */
    private Open open(Place place, List<SdkBytes> some, Map<SdkBytes, Span> spans, Map<Long, HourSums> hours) {
        UsageLimits limits = place.expected().limits();
        if (!limits.limitExecutions()) {
            return Open.NONE;
        }
        Map<SpanKey, Usage> calls = new HashMap<>();
        Instant last = Instant.MIN;
        for (SdkBytes hash : some) {
            Span span = spans.get(hash);
            Usage used = span.usage().usage().counted();
            span.parent()
                    .filter(parent -> OpenExecutions.counts(used))
                    .ifPresent(parent -> calls.merge(parent, used, Usage::plus));
            last = span.endedAt().isAfter(last) ? span.endedAt() : last;
        }
        OpenExecutions before = openExecutions.find(place.agentId());
        OpenExecutions after = before.plus(calls, place.parents());
        for (OpenExecutions.Sum sum : after.changedSince(before)) {
            HourUsage peaks = HourUsage.NONE.with(limits.peaks(sum.usage()));
            if (!peaks.isNone()) {
                hours.merge(HourUsage.at(last), HourSums.of(peaks), HourSums::plus);
            }
        }
        return new Open(before, after);
    }

    /** Reads the parts of a bucket from {@code from} on, and removes their spans from {@code spans}. Returns the last part. */
    private LastPart readAndRemoveCounted(Place place, SpanBucket bucket, LastPart from, Map<SdkBytes, Span> spans) {
        Query parts = Query.partition(ItemKind.SLICE.partition(place.agentId()))
                .between(place.sortKey(bucket, Math.max(0, from.number())), place.sortKey(bucket, SpanBucket.MAX_PARTS))
                .project(Attributes.SK, SliceItem.BATCHES, SliceItem.SEALED, SliceItem.REVISION)
                .consistent();
        LastPart last = from;
        for (Map<String, AttributeValue> item : registry.all(parts).toList()) {
            SliceItem.batches(item).forEach(spans::remove);
            int count = SliceItem.batchCount(item);
            boolean closed = count >= FULL || item.containsKey(SliceItem.SEALED);
            last = new LastPart(
                    SpanBucket.partOf(item), count, closed, !closed && !SliceItem.isJudgedBy(item, place.expected()));
        }
        return last;
    }

    /** Closes a part whose outcomes were judged by other expectations, unless spans were added to it since it was read. */
    private void seal(Map<String, AttributeValue> part, int spans) {
        registry.update(
                Update.of(part).set(SliceItem.SEALED, n(1)).when(Condition.sizeEqual(SliceItem.BATCHES, spans)));
    }

    private Update addition(
            Place place,
            Map<String, AttributeValue> part,
            List<SdkBytes> some,
            OutcomeCounts counts,
            Map<Long, HourSums> hours) {
        return SliceItem.addition(
                part,
                DueEntry.partition(place.agentId(), database),
                some,
                counts,
                place.expected().revision(),
                OutcomeStore.expiry(place.slice(), place.window()),
                hours);
    }

    /** @param seen the number of spans in the part when it was read; 0 for a new part */
    private static Condition condition(List<SdkBytes> some, int seen, Expectations expected) {
        Condition open = SliceItem.isOpen(expected.revision());
        if (some.size() > MAX_NAMED) {
            return seen == 0
                    ? Condition.absent(SliceItem.BATCHES)
                    : Condition.sizeEqual(SliceItem.BATCHES, seen).and(open);
        }
        Condition condition = Condition.absent(SliceItem.BATCHES)
                .or(Condition.sizeLessThan(SliceItem.BATCHES, FULL).and(open));
        return some.stream().map(SliceStore::lacks).reduce(condition, Condition::and);
    }

    private static SdkBytes hash(SpanKey span) {
        return SdkBytes.fromByteArray(Arrays.copyOf(Sha256.of(List.of(span.traceId(), span.spanId())), HASH_BYTES));
    }
}
