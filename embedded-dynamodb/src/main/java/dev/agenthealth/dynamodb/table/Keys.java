package dev.agenthealth.dynamodb.table;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The binary form of keys, in which the order of bytes is DynamoDB's order: a hash of the partition key, so that a scan has no order that a
 * caller could rely on, the partition key, and the sort key.
 *
 * <p>In a sort key the byte 0 becomes 0 255, and 0 0 ends it, so that no key is the beginning of another one.
 */
public final class Keys {

    /** The number of bytes of the hash. */
    public static final int HASH_BYTES = 4;

    private static final int ESCAPE = 0xff;

    private Keys() {}

    /** The key of an item, which has all attributes of the key. */
    public static byte[] of(KeySchema schema, Map<String, AttributeValue> item) {
        byte[] partition = partition(item.get(schema.partition().name()));
        return schema.attributes().size() == 1
                ? partition
                : concat(
                        partition,
                        ended(sort(item.get(schema.attributes().get(1).name()))));
    }

    /** With what all keys of a partition begin. */
    public static byte[] partition(AttributeValue value) {
        byte[] raw = raw(value);
        byte[] key = new byte[HASH_BYTES + 2 + raw.length];
        int hash = hash(raw);
        for (int i = 0; i < HASH_BYTES; i++) {
            key[i] = (byte) (hash >>> (8 * (HASH_BYTES - 1 - i)));
        }
        key[HASH_BYTES] = (byte) (raw.length >>> 8);
        key[HASH_BYTES + 1] = (byte) raw.length;
        System.arraycopy(raw, 0, key, HASH_BYTES + 2, raw.length);
        return key;
    }

    /** A sort key, or what one begins with, without its end. */
    public static byte[] sort(AttributeValue value) {
        byte[] raw = raw(value);
        int zeros = 0;
        for (byte b : raw) {
            zeros += b == 0 ? 1 : 0;
        }
        if (zeros == 0) {
            return raw;
        }
        ByteArrayOutputStream escaped = new ByteArrayOutputStream(raw.length + zeros);
        for (byte b : raw) {
            escaped.write(b);
            if (b == 0) {
                escaped.write(ESCAPE);
            }
        }
        return escaped.toByteArray();
    }

    /** A whole sort key. */
    public static byte[] ended(byte[] sort) {
        return Arrays.copyOf(sort, sort.length + 2);
    }

    public static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** The first key behind all keys that begin with {@code prefix}; it has a byte other than 255. */
    public static byte[] behind(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) ESCAPE) {
            last--;
        }
        if (last < 0) {
            // Behind all keys: a partition's length never begins with these.
            byte[] end = new byte[HASH_BYTES + 2];
            Arrays.fill(end, (byte) ESCAPE);
            return end;
        }
        byte[] behind = Arrays.copyOf(prefix, last + 1);
        behind[last]++;
        return behind;
    }

    /** The first possible key behind a key. */
    public static byte[] next(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /** The first possible key of a segment of a scan; that of segment {@code total} is behind all keys. */
    public static byte[] ofSegment(int segment, int total) {
        if (segment == total) {
            return behind(new byte[] {(byte) ESCAPE});
        }
        // The least hash of which this share of all hashes are less.
        long hash = (((long) segment << 32) + total - 1) / total;
        byte[] key = new byte[HASH_BYTES];
        for (int i = 0; i < HASH_BYTES; i++) {
            key[i] = (byte) (hash >>> (8 * (HASH_BYTES - 1 - i)));
        }
        return key;
    }

    private static byte[] raw(AttributeValue value) {
        return value.s() != null
                ? value.s().getBytes(StandardCharsets.UTF_8)
                : value.b().asByteArrayUnsafe();
    }

    /** FNV-1a with the finish of MurmurHash3, which spreads similar keys. */
    private static int hash(byte[] bytes) {
        int hash = 0x811c9dc5;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }
}
