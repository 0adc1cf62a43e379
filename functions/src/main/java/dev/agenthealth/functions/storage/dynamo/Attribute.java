package dev.agenthealth.functions.storage.dynamo;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An attribute of items. Immutable and thread-safe.
 *
 * @param name its name in the item
 * @param type converts its values to stored values
 */
public record Attribute<V>(String name, AttributeType<V> type) {

    /** Returns the value in an item. */
    public V of(Map<String, AttributeValue> item) {
        AttributeValue value = item.get(name);
        return value == null ? type.otherwise() : type.read().apply(value);
    }

    /** Returns a value as it is stored. */
    public AttributeValue stored(V value) {
        return type.write().apply(value);
    }

    /** Puts a value into an item, which is returned. */
    public Map<String, AttributeValue> put(Map<String, AttributeValue> item, V value) {
        item.put(name, stored(value));
        return item;
    }

    /** Returns whether an item has the attribute. */
    public boolean isIn(Map<String, AttributeValue> item) {
        return item.containsKey(name);
    }

    /** Returns the condition that the item has the attribute with this value. */
    public Condition is(V value) {
        return Condition.equal(name, stored(value));
    }

    /** Returns the condition that no item exists, or the item lacks the attribute. */
    public Condition isAbsent() {
        return Condition.absent(name);
    }

    /** Returns the condition that the item has the attribute with a smaller value. */
    public Condition isLessThan(V value) {
        return Condition.lessThan(name, stored(value));
    }

    /** Returns the condition that the item has the attribute with this value or a smaller value. */
    public Condition isAtMost(V value) {
        return Condition.atMost(name, stored(value));
    }

    /** Returns the condition that the item has the attribute with a larger value. */
    public Condition isMoreThan(V value) {
        return Condition.moreThan(name, stored(value));
    }

    /** Returns the condition that the item has the attribute with this value or a larger value. */
    public Condition isAtLeast(V value) {
        return Condition.atLeast(name, stored(value));
    }
}
