package dev.agenthealth.dynamodb.table;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.dynamodb.value.Values;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A stored item whose attributes are decoded when they are read. A changed copy keeps the bytes of all other attributes. An update of a few
 * attributes therefore decodes and encodes only these. Not thread-safe.
 */
public final class StoredItem extends AbstractMap<String, AttributeValue> {

    /** The maximum number of attributes. Each access searches through all of them, so that a larger item is decoded as a whole. */
    static final int MAX_ATTRIBUTES = 64;

    private final List<Attribute> attributes;
    private int size;

    /** The stored form; empty after a change. */
    private byte[] unchanged;

    private StoredItem(List<Attribute> attributes, int size, byte[] unchanged) {
        this.attributes = attributes;
        this.size = size;
        this.unchanged = unchanged;
    }

    /**
     * Returns the item, as a {@link StoredItem} unless it has too many attributes.
     *
     * @throws IllegalStateException if the bytes are damaged
     */
    public static Map<String, AttributeValue> of(byte[] stored) {
        return ItemBytes.undamaged(new ItemInput(stored), StoredItem::item);
    }

    private static Map<String, AttributeValue> item(ItemInput in) {
        int size = (int) in.number();
        int start = in.at;
        int count = (int) in.number();
        if (count > MAX_ATTRIBUTES) {
            in.at = start;
            return in.map();
        }
        List<Attribute> attributes = new ArrayList<>(count + 1);
        for (int i = 0; i < count; i++) {
            attributes.add(Attribute.next(in));
        }
        return new StoredItem(attributes, size, in.bytes);
    }

    /** An attribute, either as bytes or as a new value. */
    private static final class Attribute {

        /** The bytes of the item; empty for a new value. */
        private final byte[] bytes;

        private final int from;
        private final int nameFrom;
        private final int valueFrom;
        private final int to;
        private String name;
        private AttributeValue value;

        private Attribute(byte[] bytes, int from, int nameFrom, int valueFrom, int to) {
            this.bytes = bytes;
            this.from = from;
            this.nameFrom = nameFrom;
            this.valueFrom = valueFrom;
            this.to = to;
        }

        static Attribute next(ItemInput in) {
            int from = in.at;
            int length = (int) in.number();
            int nameFrom = in.at;
            in.skip(length);
            int valueFrom = in.at;
            in.skipValue();
            return new Attribute(in.bytes, from, nameFrom, valueFrom, in.at);
        }

        static Attribute of(String name, AttributeValue value) {
            Attribute attribute = new Attribute(new byte[0], 0, 0, 0, 0);
            attribute.name = name;
            attribute.value = value;
            return attribute;
        }

        boolean isNamed(String wanted) {
            if (name != null) {
                return name.equals(wanted);
            }
            int length = valueFrom - nameFrom;
            if (wanted.length() > length) {
                return false;
            }
            for (int i = 0; i < wanted.length(); i++) {
                char c = wanted.charAt(i);
                if (c >= 0x80) {
                    return name().equals(wanted);
                }
                if (c != bytes[nameFrom + i]) {
                    return false;
                }
            }
            return wanted.length() == length;
        }

        String name() {
            if (name == null) {
                ItemInput in = new ItemInput(bytes);
                in.at = nameFrom;
                name = in.name(valueFrom - nameFrom);
            }
            return name;
        }

        AttributeValue value() {
            if (value == null) {
                ItemInput in = new ItemInput(bytes);
                in.at = valueFrom;
                value = in.value();
            }
            return value;
        }

        int size() {
            return Sizes.utf8(name()) + Sizes.of(value());
        }

        void write(ItemOutput out) {
            if (bytes.length == 0) {
                out.attribute(name, value);
            } else {
                out.bytes(bytes, from, to);
            }
        }
    }

    /** Returns a copy, whose changes do not change this item. */
    public StoredItem copy() {
        return new StoredItem(new ArrayList<>(attributes), size, unchanged);
    }

    private int indexOf(Object name) {
        if (name instanceof String wanted) {
            for (int i = 0; i < attributes.size(); i++) {
                if (attributes.get(i).isNamed(wanted)) {
                    return i;
                }
            }
        }
        return -1;
    }

    @Override
    public AttributeValue get(Object name) {
        int index = indexOf(name);
        return index < 0 ? null : attributes.get(index).value();
    }

    @Override
    public AttributeValue getOrDefault(Object name, AttributeValue otherwise) {
        AttributeValue value = get(name);
        return value == null ? otherwise : value;
    }

    @Override
    public boolean containsKey(Object name) {
        return indexOf(name) >= 0;
    }

    @Override
    public int size() {
        return attributes.size();
    }

    @Override
    public AttributeValue put(String name, AttributeValue value) {
        Attribute added = Attribute.of(name, value);
        int index = indexOf(name);
        AttributeValue before = null;
        if (index < 0) {
            attributes.add(added);
        } else {
            Attribute replaced = attributes.set(index, added);
            size -= replaced.size();
            before = replaced.value();
        }
        size += added.size();
        unchanged = new byte[0];
        return before;
    }

    @Override
    public AttributeValue remove(Object name) {
        int index = indexOf(name);
        if (index < 0) {
            return null;
        }
        Attribute removed = attributes.remove(index);
        size -= removed.size();
        unchanged = new byte[0];
        return removed.value();
    }

    /** Visits the attributes without an entry for each of them, since requests and responses copy every item in this way. */
    @Override
    public void forEach(BiConsumer<? super String, ? super AttributeValue> action) {
        for (Attribute attribute : attributes) {
            action.accept(attribute.name(), attribute.value());
        }
    }

    @Override
    public Set<Map.Entry<String, AttributeValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, AttributeValue>> iterator() {
                Iterator<Attribute> all = attributes.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return all.hasNext();
                    }

                    @Override
                    public Map.Entry<String, AttributeValue> next() {
                        Attribute attribute = all.next();
                        return Map.entry(attribute.name(), attribute.value());
                    }
                };
            }

            @Override
            public int size() {
                return attributes.size();
            }
        };
    }

    /** Returns true if both items have the same attributes. Attributes that both copies share are not decoded. */
    public boolean isSame(StoredItem other) {
        if (size != other.size || attributes.size() != other.attributes.size()) {
            return false;
        }
        for (int i = 0; i < attributes.size(); i++) {
            Attribute attribute = attributes.get(i);
            if (attribute == other.attributes.get(i)) {
                continue;
            }
            AttributeValue value = other.get(attribute.name());
            if (value == null || !Values.equal(attribute.value(), value)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the item's size by DynamoDB's rules. */
    int bytes() {
        return size;
    }

    /** Returns the stored form. */
    byte[] stored() {
        return unchanged.length > 0
                ? unchanged
                : ItemBytes.write(size, attributes.size(), out -> {
                    for (Attribute attribute : attributes) {
                        attribute.write(out);
                    }
                });
    }
}
