package dev.agenthealth.dynamodb.table;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads the stored items of a page. The items of a table have the same attributes, and often the same values. The reader therefore
 * remembers the last value of each attribute, and decodes only values that differ. Not thread-safe.
 */
public final class ItemReader {

    /** The number of remembered attributes, a power of two. */
    private static final int PLACES = 256;

    /** The number of places that an attribute may have. */
    private static final int TRIES = 4;

    private final Optional<Set<String>> wanted;
    private final Function<ItemInput, Map<String, AttributeValue>> reading = this::item;
    private boolean startsPage = true;
    private Attribute[] known = new Attribute[0];

    private ItemReader(Optional<Set<String>> wanted) {
        this.wanted = wanted;
    }

    /** Returns a reader of whole items. */
    public static ItemReader ofAll() {
        return new ItemReader(Optional.empty());
    }

    /** Returns a reader that skips all other attributes. */
    public static ItemReader of(Set<String> attributes) {
        return new ItemReader(Optional.of(attributes));
    }

    /** An attribute, the place of its last value, and the last value itself. */
    private static final class Attribute {

        private final byte[] name;
        private final String text;
        private final boolean wanted;
        private byte[] source = new byte[0];
        private int from;
        private int to;
        private AttributeValue value = AttributeValue.fromNul(true);

        Attribute(byte[] name, String text, boolean wanted) {
            this.name = name;
            this.text = text;
            this.wanted = wanted;
        }

        boolean isNamed(byte[] bytes, int nameFrom, int nameTo) {
            return Arrays.equals(name, 0, name.length, bytes, nameFrom, nameTo);
        }

        /** Returns the value at the position of the reader, which is read or skipped. */
        AttributeValue next(ItemInput in) {
            int start = in.at;
            in.skipValue();
            int end = in.at;
            if (!Arrays.equals(source, from, to, in.bytes, start, end)) {
                in.at = start;
                value = in.value();
                source = in.bytes;
                from = start;
                to = end;
            }
            return value;
        }
    }

    /**
     * Returns the wanted attributes of an item.
     *
     * @throws IllegalStateException if the bytes are damaged
     */
    public Map<String, AttributeValue> read(byte[] stored) {
        if (startsPage && wanted.isEmpty()) {
            // Many pages have one item, for which nothing has to be remembered.
            startsPage = false;
            return ItemBytes.read(stored);
        }
        if (known.length == 0) {
            known = new Attribute[PLACES];
        }
        return ItemBytes.undamaged(new ItemInput(stored), reading);
    }

    private Map<String, AttributeValue> item(ItemInput in) {
        in.number();
        int count = (int) in.number();
        // Damaged bytes may have any number. Each attribute has at least two bytes.
        int most = Math.min(count, in.bytes.length / 2);
        ReadItem item = new ReadItem(
                wanted.isEmpty() ? most : Math.min(most, wanted.get().size()));
        for (int i = 0; i < count; i++) {
            Attribute attribute = attribute(in);
            if (attribute.wanted) {
                item.add(attribute.text, attribute.next(in));
            } else {
                in.skipValue();
            }
        }
        return item;
    }

    /** Returns the attribute with the name at the position of the reader. A new attribute takes the place of another one if all places are taken. */
    private Attribute attribute(ItemInput in) {
        int length = (int) in.number();
        int from = in.at;
        in.skip(length);
        int hash = length;
        for (int i = from; i < in.at; i++) {
            hash = 31 * hash + in.bytes[i];
        }
        int place = hash & PLACES - 1;
        for (int i = 0; i < TRIES; i++) {
            place = hash + i & PLACES - 1;
            if (known[place] == null) {
                break;
            }
            if (known[place].isNamed(in.bytes, from, in.at)) {
                return known[place];
            }
        }
        in.at = from;
        String text = in.text(length);
        known[place] = new Attribute(
                Arrays.copyOfRange(in.bytes, from, in.at),
                text,
                wanted.isEmpty() || wanted.get().contains(text));
        return known[place];
    }
}
