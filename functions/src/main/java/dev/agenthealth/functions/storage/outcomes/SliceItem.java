package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.outcome.LatencyBuckets;
import dev.agenthealth.model.outcome.LatencyHistogram;
import dev.agenthealth.model.outcome.OutcomeCounter;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items of a slice: counters and buckets as attributes of their own, so that outcomes are added without being read, and the hashes of
 * the batches that are in them, so that none is added twice. A busy slice has several parts, whose counts add up. A part to which
 * something was added since the agent's health was computed is marked: it stands in the index of what is due. This class owns the attribute
 * names.
 */
public final class SliceItem {

    /** The set of hashes of the batches that this part holds. */
    public static final String BATCHES = "h";

    /**
     * The most batches of one part. What most agents report then stays below 1 KB, which is one write unit a batch, and a part in which every
     * counter and bucket holds something below 2 KB.
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
            Map.entry(OutcomeCounter.LATENCY_MICROS, "lm")));

    private static final String BUCKET_PREFIX = "b";

    private SliceItem() {}

    /** The key of a part of a slice; parts are numbered from 0. */
    public static Map<String, AttributeValue> key(String agentId, Slice slice, int part) {
        return RegistryKeys.key(RegistryKeys.agent(agentId), prefix(slice) + RegistryKeys.padded(part, 4));
    }

    /** What the sort keys of all parts of a slice begin with. */
    public static String prefix(Slice slice) {
        return startingAt(slice.start()) + "#" + RegistryKeys.padded(slice.width(), 5) + "#";
    }

    /** A sort key that is not after that of any slice with this start, and after those of all earlier ones. */
    public static String startingAt(long start) {
        return RegistryKeys.SLICE_PREFIX + RegistryKeys.padded(start, 10);
    }

    /** The number of a part. */
    public static int part(Map<String, AttributeValue> item) {
        return Integer.parseInt(item.get(RegistryKeys.SK).s().split("#")[3]);
    }

    /** How many batches a part holds, which only rises: the same number is the same part. */
    public static int batchCount(Map<String, AttributeValue> item) {
        return batches(item).size();
    }

    /** Whether outcomes were added to a part since the agent's health was computed. */
    static boolean isDue(Map<String, AttributeValue> item) {
        return item.containsKey(RegistryKeys.DUE_PK);
    }

    /** Whether an item is a part. */
    public static boolean isPart(Map<String, AttributeValue> item) {
        return item.get(RegistryKeys.SK).s().startsWith(RegistryKeys.SLICE_PREFIX);
    }

    /** Whether a part holds the batch with this hash. */
    static boolean holds(Map<String, AttributeValue> item, SdkBytes batch) {
        return batches(item).contains(batch);
    }

    /** Whether a part takes no more batches; it never takes one again. */
    static boolean isFull(Map<String, AttributeValue> item) {
        return batchCount(item) >= MAX_BATCHES;
    }

    /** The attributes that these counts add to, with what they add. */
    public static Map<String, Long> additions(OutcomeCounts counts) {
        Map<String, Long> additions = new TreeMap<>();
        COUNTERS.forEach((counter, name) -> {
            if (counts.get(counter) != 0) {
                additions.put(name, counts.get(counter));
            }
        });
        counts.latencies().counts().forEach((bucket, count) -> additions.put(BUCKET_PREFIX + bucket, count));
        return additions;
    }

    /** The slice that a part belongs to. */
    public static Slice slice(Map<String, AttributeValue> item) {
        String[] parts = item.get(RegistryKeys.SK).s().split("#");
        return new Slice(Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
    }

    /** The counts of an item. */
    public static OutcomeCounts counts(Map<String, AttributeValue> item) {
        Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
        COUNTERS.forEach((counter, name) -> counters.put(counter, number(item, name, 0)));
        Map<Integer, Long> buckets = new HashMap<>();
        for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
            long count = number(item, BUCKET_PREFIX + bucket, 0);
            if (count > 0) {
                buckets.put(bucket, count);
            }
        }
        return OutcomeCounts.of(counters, LatencyHistogram.of(buckets));
    }

    /** The counts by slice, all parts of a slice together. */
    public static SortedMap<Slice, OutcomeCounts> bySlice(List<Map<String, AttributeValue>> items) {
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        items.forEach(item -> slices.merge(slice(item), counts(item), OutcomeCounts::plus));
        return slices;
    }

    private static List<SdkBytes> batches(Map<String, AttributeValue> item) {
        AttributeValue batches = item.get(BATCHES);
        return batches == null ? List.of() : batches.bs();
    }
}
