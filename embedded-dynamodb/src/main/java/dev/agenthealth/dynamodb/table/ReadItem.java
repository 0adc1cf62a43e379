package dev.agenthealth.dynamodb.table;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item of a page as two arrays. A response copies each item into a map of its own, so that a page needs no other map. Filters look up a
 * few attributes, each of which is searched. Unmodifiable after its last attribute is added; not thread-safe before.
 */
final class ReadItem extends AbstractMap<String, AttributeValue> {

    private final String[] names;
    private final AttributeValue[] values;
    private int size;

    /** @param capacity the maximum number of attributes */
    ReadItem(int capacity) {
        this.names = new String[capacity];
        this.values = new AttributeValue[capacity];
    }

    /** Adds an attribute, which the item does not have yet. */
    void add(String name, AttributeValue value) {
        names[size] = name;
        values[size] = value;
        size++;
    }

    private int indexOf(Object name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public AttributeValue get(Object name) {
        int index = indexOf(name);
        return index < 0 ? null : values[index];
    }

    @Override
    public boolean containsKey(Object name) {
        return indexOf(name) >= 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super AttributeValue> action) {
        for (int i = 0; i < size; i++) {
            action.accept(names[i], values[i]);
        }
    }

    @Override
    public Set<Map.Entry<String, AttributeValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, AttributeValue>> iterator() {
                return new Iterator<>() {
                    private int next;

                    @Override
                    public boolean hasNext() {
                        return next < size;
                    }

                    @Override
                    public Map.Entry<String, AttributeValue> next() {
                        if (next == size) {
                            throw new NoSuchElementException();
                        }
                        return Map.entry(names[next], values[next++]);
                    }
                };
            }

            @Override
            public int size() {
                return size;
            }
        };
    }
}
