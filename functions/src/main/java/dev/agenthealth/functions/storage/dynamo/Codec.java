package dev.agenthealth.functions.storage.dynamo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of the items that hold a {@code T}. A static field declares each attribute: its name, its type, its getter on {@code T},
 * and its value for items without the attribute. {@link Attribute#of} reads an attribute of an item. Thread-safe once all attributes are
 * declared.
 */
public final class Codec<T> {

    private final List<String> names = new ArrayList<>();
    private final List<Codec<?>> parts = new ArrayList<>();
    private final List<BiConsumer<Map<String, AttributeValue>, T>> writers = new ArrayList<>();

    /** Declares an attribute that is always written. */
    public <V> Attribute<V> always(String name, AttributeType<V> type, Function<T, V> getter) {
        Attribute<V> attribute = new Attribute<>(name, type);
        return declare(attribute, (item, value) -> attribute.put(item, getter.apply(value)));
    }

    /** Declares an attribute that is left out if it has the value of a missing attribute. */
    public <V> Attribute<V> optional(String name, AttributeType<V> type, Function<T, V> getter) {
        Attribute<V> attribute = new Attribute<>(name, type);
        return declare(attribute, (item, value) -> {
            V field = getter.apply(value);
            if (!field.equals(type.otherwise())) {
                attribute.put(item, field);
            }
        });
    }

    private <V> Attribute<V> declare(Attribute<V> attribute, BiConsumer<Map<String, AttributeValue>, T> writer) {
        names.add(attribute.name());
        writers.add(writer);
        return attribute;
    }

    /** Returns a codec for a part of a {@code T}. The attributes of the part are stored in the items of this codec. */
    public <P> Codec<P> part(Function<T, P> getter) {
        Codec<P> part = new Codec<>();
        writers.add((item, value) -> part.put(item, getter.apply(value)));
        parts.add(part);
        return part;
    }

    /** Returns a codec for an optional part of a {@code T}. If a {@code T} lacks the part, none of the part's attributes is written. */
    public <P> Codec<P> optionalPart(Function<T, Optional<P>> getter) {
        Codec<P> part = new Codec<>();
        writers.add((item, value) -> {
            Optional<P> present = getter.apply(value);
            if (present.isPresent()) {
                part.put(item, present.get());
            }
        });
        parts.add(part);
        return part;
    }

    /** Returns a new item with this key and the current schema number. */
    public Map<String, AttributeValue> item(Map<String, AttributeValue> key, T value) {
        return put(Attributes.item(key), value);
    }

    /** Returns the attributes of a value, without a key. */
    public Map<String, AttributeValue> attributes(T value) {
        return put(new HashMap<>(), value);
    }

    /** Puts the attributes of a value into an item, which is returned. */
    public Map<String, AttributeValue> put(Map<String, AttributeValue> item, T value) {
        for (BiConsumer<Map<String, AttributeValue>, T> writer : writers) {
            writer.accept(item, value);
        }
        return item;
    }

    /** Returns the names of all attributes. */
    List<String> names() {
        List<String> all = new ArrayList<>(names);
        parts.forEach(part -> all.addAll(part.names()));
        return all;
    }
}
