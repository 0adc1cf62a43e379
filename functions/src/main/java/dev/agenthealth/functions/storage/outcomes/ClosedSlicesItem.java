package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.SECONDS;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The closed slices of an agent in one binary attribute. A slice takes about 30 to 100 bytes, so that a day is one small item instead of
 * 48.
 *
 * <p>All numbers are variable-length integers as in Protocol Buffers. A slice begins with its start (as the distance from the previous slice) and its width. A set of bits for the counters that are not 0, these counters, and the buckets (as distances) with their counts follow. The
 * buckets of executions that were reported as breaches of the SLA follow in the same form.
 */
public final class ClosedSlicesItem {

    /** The number of writes. Equal numbers mean the same content. */
    public static final String REVISION = "rev";

    /** The layout of the bytes. Slices in another layout are collected again. */
    private static final int LAYOUT = 1;

    private static final Codec<ClosedSlices> CLOSED = new Codec<>();
    private static final Attribute<Integer> LAYOUT_NUMBER = CLOSED.always("layout", INTEGER, closed -> LAYOUT);
    private static final Attribute<Duration> WINDOW =
            CLOSED.always("window", SECONDS, closed -> closed.window().length());
    private static final Attribute<Instant> START =
            CLOSED.optional("start", MOMENT, closed -> closed.window().start());
    private static final Attribute<Integer> EXPECTATIONS = CLOSED.always("judged", INTEGER, ClosedSlices::revision);
    private static final Attribute<Long> FROM = CLOSED.always("from", NUMBER, ClosedSlices::from);
    private static final Attribute<SortedMap<Slice, OutcomeCounts>> SLICES = CLOSED.always(
            "slices",
            BYTES.as(new TreeMap<>(), ClosedSlicesItem::written, bytes -> read(ByteBuffer.wrap(bytes))),
            ClosedSlices::slices);

    private static final Duration MARGIN = Duration.ofDays(1);

    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;
    private static final int MORE = 0x80;

    private ClosedSlicesItem() {}

    /**
     * Returns the item.
     *
     * @param now when it is written; it expires when all of its slices have left both windows
     */
    static Map<String, AttributeValue> of(String agentId, ClosedSlices closed, long revision, Instant now) {
        Instant expiry = now.plus(closed.window().length().multipliedBy(2)).plus(MARGIN);
        Map<String, AttributeValue> item = Attributes.item(ItemKind.CLOSED_SLICES.key(agentId), expiry);
        item.put(REVISION, n(revision));
        return CLOSED.put(item, closed);
    }

    /** Returns the slices of an item; empty if the item has another layout, or is empty. */
    public static Optional<ClosedSlices> read(Map<String, AttributeValue> item) {
        if (LAYOUT_NUMBER.of(item) != LAYOUT) {
            return Optional.empty();
        }
        return Optional.of(new ClosedSlices(
                new MeasurementWindow(WINDOW.of(item), START.of(item)),
                EXPECTATIONS.of(item),
                FROM.of(item),
                SLICES.of(item)));
    }

    private static byte[] written(SortedMap<Slice, OutcomeCounts> slices) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long start = 0;
        for (Map.Entry<Slice, OutcomeCounts> entry : slices.entrySet()) {
            write(out, entry.getKey().start() - start);
            start = entry.getKey().start();
            write(out, entry.getKey().width());
            write(out, entry.getValue());
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, OutcomeCounts counts) {
        long present = 0;
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            present |= counts.get(counter) == 0 ? 0 : 1L << counter.ordinal();
        }
        write(out, present);
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            if (counts.get(counter) != 0) {
                write(out, counts.get(counter));
            }
        }
        write(out, counts.latencies());
        write(out, counts.reported());
    }

    private static void write(ByteArrayOutputStream out, LatencyHistogram latencies) {
        SortedMap<Integer, Long> buckets = latencies.counts();
        write(out, buckets.size());
        int bucket = 0;
        for (Map.Entry<Integer, Long> entry : buckets.entrySet()) {
            write(out, entry.getKey() - bucket);
            bucket = entry.getKey();
            write(out, entry.getValue());
        }
    }

    private static SortedMap<Slice, OutcomeCounts> read(ByteBuffer in) {
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        long start = 0;
        while (in.hasRemaining()) {
            start += next(in);
            slices.put(new Slice(start, (int) next(in)), counts(in));
        }
        return slices;
    }

    private static OutcomeCounts counts(ByteBuffer in) {
        long present = next(in);
        Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            if ((present & 1L << counter.ordinal()) != 0) {
                counters.put(counter, next(in));
            }
        }
        return OutcomeCounts.of(counters, latencies(in), latencies(in));
    }

    private static LatencyHistogram latencies(ByteBuffer in) {
        Map<Integer, Long> buckets = new HashMap<>();
        int bucket = 0;
        for (long left = next(in); left > 0; left--) {
            bucket += (int) next(in);
            buckets.put(bucket, next(in));
        }
        return LatencyHistogram.of(buckets);
    }

    private static void write(ByteArrayOutputStream out, long number) {
        long left = number;
        while (left > GROUP) {
            out.write((int) (left & GROUP) | MORE);
            left >>>= GROUP_BITS;
        }
        out.write((int) left);
    }

    private static long next(ByteBuffer in) {
        long number = 0;
        int shift = 0;
        while (true) {
            int group = in.get();
            number |= (long) (group & GROUP) << shift;
            if ((group & MORE) == 0) {
                return number;
            }
            shift += GROUP_BITS;
        }
    }
}
