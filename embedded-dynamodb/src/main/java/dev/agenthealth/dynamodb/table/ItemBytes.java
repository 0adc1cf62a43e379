package dev.agenthealth.dynamodb.table;

import dev.agenthealth.dynamodb.value.Sizes;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The stored form of an item: its size by DynamoDB's rules, the number of attributes, each name and value, and a CRC-32C of all of it.
 * Lengths and whole numbers are variable-length integers of seven bits per byte. Values are in normal form. Thread-safe.
 */
public final class ItemBytes {

    private ItemBytes() {}

    /**
     * Returns the stored form of an item.
     *
     * @param size the item's size by DynamoDB's rules
     */
    public static byte[] write(Map<String, AttributeValue> item, int size) {
        ItemOutput out = ItemOutput.begun(size, item.size());
        item.forEach(out::attribute);
        return out.withChecksum();
    }

    /** Returns the stored form of an item. */
    public static byte[] write(Map<String, AttributeValue> item) {
        return item instanceof StoredItem stored ? stored.stored() : write(item, Sizes.item(item));
    }

    /**
     * Returns the stored form of an item.
     *
     * @param size the item's size by DynamoDB's rules
     * @param count the number of attributes
     */
    static byte[] write(int size, int count, Consumer<ItemOutput> attributes) {
        ItemOutput out = ItemOutput.begun(size, count);
        attributes.accept(out);
        return out.withChecksum();
    }

    static int checksum(byte[] bytes, int length) {
        return checksum(bytes, 0, length);
    }

    private static int checksum(byte[] bytes, int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue();
    }

    /** Returns a hash of 64 bits over a stored item in normal form. It does not depend on the order of the attributes. */
    public static long hash(byte[] stored) {
        ItemInput in = new ItemInput(stored);
        in.number();
        long count = in.number();
        long sum = count;
        for (long i = 0; i < count; i++) {
            int from = in.at;
            in.skip((int) in.number());
            in.skipValue();
            long product = (hash(stored, from, in.at) + in.at - from) * 0x9e3779b97f4a7c15L;
            // A sum has no order.
            sum += product ^ product >>> Integer.SIZE;
        }
        return sum;
    }

    /** Returns a hash of 64 bits over a range of bytes: two checksums, which the processor computes. */
    public static long hash(byte[] bytes, int from, int to) {
        CRC32 other = new CRC32();
        other.update(bytes, from, to - from);
        return other.getValue() << Integer.SIZE | checksum(bytes, from, to) & 0xffff_ffffL;
    }

    /** Returns an item's size by DynamoDB's rules. */
    public static int size(Map<String, AttributeValue> item) {
        return item instanceof StoredItem stored ? stored.bytes() : Sizes.item(item);
    }

    /** Returns a stored item's size by DynamoDB's rules. */
    public static int size(byte[] bytes) {
        return (int) new ItemInput(bytes).number();
    }

    /**
     * Returns the item as a mutable map.
     *
     * @throws IllegalStateException if the bytes are damaged
     */
    public static Map<String, AttributeValue> read(byte[] bytes) {
        return undamaged(new ItemInput(bytes), in -> {
            in.number();
            return in.map();
        });
    }

    /**
     * Reads a stored item to its end.
     *
     * @throws IllegalStateException if the bytes are damaged
     */
    static Map<String, AttributeValue> undamaged(
            ItemInput in, Function<ItemInput, Map<String, AttributeValue>> reading) {
        try {
            Map<String, AttributeValue> item = reading.apply(in);
            // Versions before the first release wrote no checksum.
            if (in.at == in.bytes.length
                    || in.at == in.bytes.length - Integer.BYTES
                            && ByteBuffer.wrap(in.bytes).getInt(in.at) == checksum(in.bytes, in.at)) {
                return item;
            }
        } catch (IndexOutOfBoundsException | NegativeArraySizeException | IllegalArgumentException e) {
            throw damaged(e);
        }
        throw damaged(null);
    }

    private static IllegalStateException damaged(RuntimeException reason) {
        return new IllegalStateException(
                "a stored item is damaged; check the data folder, and restore a backup", reason);
    }
}
