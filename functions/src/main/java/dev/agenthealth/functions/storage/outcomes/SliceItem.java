package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items of a slice. Counters and buckets are attributes of their own, so that outcomes are added without a read. Hashes of the batches
 * ensure that no batch is added twice. A busy slice has several parts, whose counts add up.
 *
 * <p>A part is due if outcomes were added to it since the agent's health was computed. A due part is in the index {@value
 * Attributes#DUE_INDEX}.
 */
public final class SliceItem {

    /** The set of hashes of the batches, or of the spans, in this part. */
    static final String BATCHES = "h";

    /**
     * The maximum number of batches of a part. It keeps a typical part below 1 KB, which is one write unit per batch, and a part with values in
     * all counters and buckets below 2 KB.
     */
    static final int MAX_BATCHES = 48;

    private static final Map<OutcomeCounter, String> COUNTERS = new EnumMap<>(Map.ofEntries(
            Map.entry(OutcomeCounter.GATEWAY_SUCCESSES, "gs"),
            Map.entry(OutcomeCounter.GATEWAY_FAILURES, "gf"),
            Map.entry(OutcomeCounter.COORDINATOR_SUCCESSES, "cs"),
            Map.entry(OutcomeCounter.COORDINATOR_FAILURES, "cf"),
            Map.entry(OutcomeCounter.SELF_SUCCESSES, "ss"),
            Map.entry(OutcomeCounter.SELF_FAILURES, "sf"),
            Map.entry(OutcomeCounter.CLIENT_ERRORS, "ec"),
            Map.entry(OutcomeCounter.SERVER_ERRORS, "es"),
            Map.entry(OutcomeCounter.TIMEOUTS, "et"),
            Map.entry(OutcomeCounter.MALFORMED, "em"),
            Map.entry(OutcomeCounter.OTHER_ERRORS, "eo"),
            Map.entry(OutcomeCounter.TRIGGER_FAILURES, "tf"),
            Map.entry(OutcomeCounter.SLA_BREACHES, "sb"),
            Map.entry(OutcomeCounter.LONG_RUNNING, "lr"),
            Map.entry(OutcomeCounter.ABOVE_BASELINE, "ab"),
            Map.entry(OutcomeCounter.LATENCIES, "ln"),
            Map.entry(OutcomeCounter.LATENCY_MICROS, "lm"),
            Map.entry(OutcomeCounter.SLA_REPORTED, "sr"),
            Map.entry(OutcomeCounter.TELEMETRY_SUCCESSES, "os"),
            Map.entry(OutcomeCounter.TELEMETRY_FAILURES, "of"),
            Map.entry(OutcomeCounter.UPSTREAM_ERRORS, "eu"),
            Map.entry(OutcomeCounter.EVALUATIONS, "qn"),
            Map.entry(OutcomeCounter.QUALITY_MICROS, "qs"),
            Map.entry(OutcomeCounter.EVENT_EVALUATIONS, "vn"),
            Map.entry(OutcomeCounter.EVENT_QUALITY_MICROS, "vs")));

    private static final String BUCKET_PREFIX = "b";

    /** The prefix of the buckets of executions that were reported as breaches of the SLA. */
    private static final String REPORTED_PREFIX = "f";

    /** The {@link Expectations#revision} by which the outcomes of this part were judged. */
    static final String REVISION = "x";

    /** Present if a part takes no more batches because the expectations changed. */
    static final String SEALED = "z";

    /**
     * The beginning of the attributes with executions without usage. The digit of the source follows, and the number of the hour, counted from the
     * hour in which the slice begins.
     */
    private static final String WITHOUT_USAGE = "w";

    /** Present if a report in this part added usage to an hour of the agent. */
    static final String USAGE = "us";

    private SliceItem() {}

    /** Returns the key of a part of a slice. Parts are numbered from 0. */
    static Map<String, AttributeValue> key(String agentId, Slice slice, int part) {
        return Attributes.key(ItemKind.SLICE.partition(agentId), prefix(slice) + Attributes.padded(part, 4));
    }

    /** Returns the prefix of the sort keys of all parts of a slice. */
    static String prefix(Slice slice) {
        return startingAt(slice.start()) + "#" + Attributes.padded(slice.width(), 5) + "#";
    }

    /** Returns a sort key after all slices with an earlier start, and not after any slice with this start. */
    static String startingAt(long start) {
        return ItemKind.SLICE.prefix() + Attributes.padded(start, 10);
    }

    static int part(Map<String, AttributeValue> item) {
        return Integer.parseInt(sortKey(item).split("#")[3]);
    }

    /** Returns the number of batches in a part. It never decreases: equal numbers mean the same content. */
    static int batchCount(Map<String, AttributeValue> item) {
        return batches(item).size();
    }

    /** Returns whether outcomes were added to a part since the agent's health was computed. */
    static boolean isDue(Map<String, AttributeValue> item) {
        return item.containsKey(Attributes.DUE_PK);
    }

    public static boolean isPart(Map<String, AttributeValue> item) {
        return sortKey(item).startsWith(ItemKind.SLICE.prefix());
    }

    /** Compares a batch with the batches of a part. */
    static BatchMatch match(Map<String, AttributeValue> item, BatchHash batch) {
        return batch.among(batches(item));
    }

    /** Returns whether a part takes no more batches. A closed part never opens again. */
    static boolean isClosed(Map<String, AttributeValue> item) {
        return batchCount(item) >= MAX_BATCHES || item.containsKey(SEALED);
    }

    /** Returns whether the outcomes of a part were judged by these expectations. */
    static boolean isJudgedBy(Map<String, AttributeValue> item, Expectations expected) {
        return number(item, REVISION, 0) == expected.revision();
    }

    /** Returns the numbers that these counts add to attributes, by name. */
    public static Map<String, Long> additions(OutcomeCounts counts) {
        Map<String, Long> additions = new TreeMap<>();
        COUNTERS.forEach((counter, name) -> {
            if (counts.get(counter) != 0) {
                additions.put(name, counts.get(counter));
            }
        });
        putBuckets(additions, BUCKET_PREFIX, counts.latencies().minus(counts.reported()));
        putBuckets(additions, REPORTED_PREFIX, counts.reported());
        return additions;
    }

    /**
     * Returns the update that adds counts and the hashes of their batches or spans to a part. It also stores the revision by which the
     * counts were judged, the executions without usage, and whether usage was added, and makes the agent's health due.
     */
    static Update addition(
            Map<String, AttributeValue> part,
            String due,
            List<SdkBytes> hashes,
            OutcomeCounts counts,
            int revision,
            Instant expiry,
            Map<Long, HourSums> hours) {
        Update update = Update.upsert(part)
                .set(Attributes.EXPIRES, seconds(expiry))
                .set(REVISION, n(revision))
                .setDue(due, DueEntry.AT_ONCE)
                .add(BATCHES, AttributeValue.fromBs(hashes));
        additions(counts).forEach((name, number) -> update.add(name, n(number)));
        if (counts.isNothing()) {
            // A part with calls alone has a counter, as all parts of earlier versions do.
            update.add(COUNTERS.get(OutcomeCounter.SELF_SUCCESSES), n(0));
        }
        long first = firstHour(slice(part));
        hours.forEach((hour, sums) -> sums.withoutUsage()
                .forEach((source, executions) ->
                        update.add(WITHOUT_USAGE + source.ordinal() + (hour - first), n(executions))));
        return hours.values().stream().anyMatch(HourSums::isReported) ? update.set(USAGE, n(1)) : update;
    }

    private static long firstHour(Slice slice) {
        return HourUsage.at(Instant.ofEpochSecond(slice.start()));
    }

    private static List<Long> hours(Slice slice) {
        return LongStream.rangeClosed(firstHour(slice), HourUsage.at(slice.end().minusMillis(1)))
                .boxed()
                .toList();
    }

    /** Returns the executions without usage in a part, by hour and source. */
    static Map<Long, Map<UsageSource, Long>> withoutUsage(Map<String, AttributeValue> item) {
        Map<Long, Map<UsageSource, Long>> executions = new TreeMap<>();
        long first = firstHour(slice(item));
        for (long hour : hours(slice(item))) {
            for (UsageSource source : UsageSource.values()) {
                long number = number(item, WITHOUT_USAGE + source.ordinal() + (hour - first), 0);
                if (number > 0) {
                    executions
                            .computeIfAbsent(hour, each -> new EnumMap<>(UsageSource.class))
                            .put(source, number);
                }
            }
        }
        return executions;
    }

    /** Returns the hours to which reports in a part may have added usage. */
    static List<Long> hoursOfUsage(Map<String, AttributeValue> item) {
        return item.containsKey(USAGE) ? hours(slice(item)) : List.of();
    }

    /** Returns the condition that the part takes outcomes that were judged by a revision. */
    static Condition isOpen(int revision) {
        return Condition.equal(REVISION, n(revision)).and(Condition.absent(SEALED));
    }

    private static void putBuckets(Map<String, Long> additions, String prefix, LatencyHistogram latencies) {
        latencies.counts().forEach((bucket, count) -> additions.put(prefix + bucket, count));
    }

    public static Slice slice(Map<String, AttributeValue> item) {
        String[] parts = sortKey(item).split("#");
        return new Slice(Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
    }

    /** Returns the counts of a part, judged by these expectations. */
    static OutcomeCounts counts(Map<String, AttributeValue> item, Expectations expected) {
        OutcomeCounts counts = counts(item);
        return isJudgedBy(item, expected) ? counts : counts.countedBy(expected);
    }

    public static OutcomeCounts counts(Map<String, AttributeValue> item) {
        Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
        COUNTERS.forEach((counter, name) -> counters.put(counter, number(item, name, 0)));
        LatencyHistogram reported = buckets(item, REPORTED_PREFIX);
        return OutcomeCounts.of(counters, buckets(item, BUCKET_PREFIX).plus(reported), reported);
    }

    private static LatencyHistogram buckets(Map<String, AttributeValue> item, String prefix) {
        Map<Integer, Long> buckets = new HashMap<>();
        for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
            long count = number(item, prefix + bucket, 0);
            if (count > 0) {
                buckets.put(bucket, count);
            }
        }
        return LatencyHistogram.of(buckets);
    }

    private static String sortKey(Map<String, AttributeValue> item) {
        return text(item, Attributes.SK);
    }

    static List<SdkBytes> batches(Map<String, AttributeValue> item) {
        AttributeValue batches = item.get(BATCHES);
        return batches == null ? List.of() : batches.bs();
    }
}
