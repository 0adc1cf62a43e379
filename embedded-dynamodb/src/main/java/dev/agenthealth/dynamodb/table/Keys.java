package dev.agenthealth.dynamodb.table;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The binary form of keys. The order of bytes is DynamoDB's order.
 *
 * <p>A key consists of a hash of the partition key, the partition key, and the sort key. The hash keeps callers from relying on the order
 * of a scan. In a sort key the byte 0 becomes 0 255, and 0 0 ends it, so that no key is a prefix of another.
 */
public final class Keys {

    /** The number of bytes of the hash. */
    public static final int HASH_BYTES = 4;

    private static final int ESCAPE = 0xff;

    private Keys() {}

    /** Returns the stored key of an item that has every key attribute. */
    public static byte[] of(KeySchema schema, Map<String, AttributeValue> item) {
        byte[] partition = partition(item.get(schema.partition().name()));
        return schema.attributes().size() == 1
                ? partition
                : concat(
                        partition,
                        ended(sort(item.get(schema.attributes().get(1).name()))));
    }

    /** Returns the common prefix of all keys of a partition. */
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

    /** Returns a sort key, or a prefix of it, without its end marker. */
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

    /** Returns a sort key with its end marker. */
    public static byte[] ended(byte[] sort) {
        return Arrays.copyOf(sort, sort.length + 2);
    }

    public static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Returns the first key after all keys that begin with {@code prefix}, which has a byte other than 255. */
    public static byte[] behind(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) ESCAPE) {
            last--;
        }
        if (last < 0) {
            // After all keys, since a partition's length never begins with these bytes.
            byte[] end = new byte[HASH_BYTES + 2];
            Arrays.fill(end, (byte) ESCAPE);
            return end;
        }
        byte[] behind = Arrays.copyOf(prefix, last + 1);
        behind[last]++;
        return behind;
    }

    /** Returns the first possible key after {@code key}. */
    public static byte[] next(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /** Returns the first possible key of a segment of a scan. For segment {@code total} the key is after all keys. */
    public static byte[] ofSegment(int segment, int total) {
        if (segment == total) {
            return behind(new byte[] {(byte) ESCAPE});
        }
        // The smallest hash that leaves this share of all hashes below it.
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

    /** Computes FNV-1a with the finalizer of MurmurHash3, which spreads similar keys. */
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
