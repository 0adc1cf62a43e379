package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A node of the tree of buckets that hold the spans of a slice. The first bucket takes spans of the whole slice. Once it is full, a span
 * belongs to one of four buckets below it, by the quarter of the slice in which the span ended, and so on. If a quarter would be shorter
 * than a second or so, the hash of the span decides. Immutable.
 *
 * @param name the prefix of the names of its parts, which sort after all parts that hold batches; no name of a bucket is a prefix of
 *     another's
 * @param depth 0 for the first bucket
 */
record SpanBucket(String name, int depth) {

    /** The maximum number of parts of a bucket. A request reads all parts of a bucket. */
    static final int MAX_PARTS = 8;

    static final SpanBucket FIRST = new SpanBucket("50", 0);

    private static final int DIGITS_OF_PART = 2;

    /** The number of levels at which the time decides. The last of these levels divides a slice of half an hour into parts of half a second. */
    private static final int LEVELS_BY_TIME = 6;

    private static final int QUARTERS = 4;
    private static final int QUARTERS_OF_A_BYTE = 4;

    /** Returns the name of a part of the bucket. Parts are numbered from 0. */
    String part(int number) {
        return name + Attributes.padded(number, DIGITS_OF_PART);
    }

    /** Returns the number of a part by its item. */
    static int partOf(Map<String, AttributeValue> item) {
        String sortKey = text(item, Attributes.SK);
        return Integer.parseInt(sortKey.substring(sortKey.length() - DIGITS_OF_PART));
    }

    /** Returns the bucket below this bucket to which a span belongs. */
    SpanBucket below(Slice slice, Instant endedAt, SdkBytes hash) {
        int quarter = depth < LEVELS_BY_TIME ? ofTime(slice, endedAt) : ofHash(hash);
        // The second letter encodes the length of the name.
        return new SpanBucket("5" + (char) ('a' + depth) + name.substring(2) + quarter, depth + 1);
    }

    private int ofTime(Slice slice, Instant endedAt) {
        long offset = endedAt.toEpochMilli() - slice.start() * 1_000;
        long parts = 1L << 2 * (depth + 1);
        return (int) (offset * parts / (slice.width() * 1_000L) % QUARTERS);
    }

    private int ofHash(SdkBytes hash) {
        int digit = depth - LEVELS_BY_TIME;
        byte[] bytes = hash.asByteArrayUnsafe();
        return bytes[digit / QUARTERS_OF_A_BYTE % bytes.length] >> 2 * (digit % QUARTERS_OF_A_BYTE) & 3;
    }
}
