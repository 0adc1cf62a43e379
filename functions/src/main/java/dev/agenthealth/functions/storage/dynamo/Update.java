package dev.agenthealth.functions.storage.dynamo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The changes of one item by one write, and its condition. Not thread-safe. */
public final class Update {

    private final Map<String, AttributeValue> key;
    private final List<ExpressionPart> sets = new ArrayList<>();
    private final List<ExpressionPart> removes = new ArrayList<>();
    private final List<ExpressionPart> adds = new ArrayList<>();
    private Condition condition = Condition.NONE;

    private Update(Map<String, AttributeValue> key) {
        this.key = key;
    }

    /** Returns an update of the item with this key. If the item is absent and the condition allows it, the update creates the item. */
    public static Update of(Map<String, AttributeValue> key) {
        return new Update(key);
    }

    /** Returns an update that writes the schema number, for an item that the update may create. */
    public static Update upsert(Map<String, AttributeValue> key) {
        return of(key).set(Attributes.SCHEMA_NUMBER, Values.n(Attributes.SCHEMA));
    }

    public Update set(String attribute, AttributeValue value) {
        sets.add((text, p) -> text.append(p.name(attribute)).append(" = ").append(p.value(value)));
        return this;
    }

    public <V> Update set(Attribute<V> attribute, V value) {
        return set(attribute.name(), attribute.stored(value));
    }

    /** Sets the attribute if it is absent. */
    public <V> Update setIfAbsent(Attribute<V> attribute, V value) {
        return setIfAbsent(attribute.name(), attribute.stored(value));
    }

    public Update setAll(Map<String, AttributeValue> values) {
        values.forEach(this::set);
        return this;
    }

    /** Puts the item at this position of the index {@value Attributes#DUE_INDEX}. */
    public Update setDue(String partition, String dueAt) {
        return set(Attributes.DUE_PK, Values.s(partition)).set(Attributes.DUE_SK, Values.s(dueAt));
    }

    /** Removes the item from the index {@value Attributes#DUE_INDEX}. */
    public Update removeDue() {
        return remove(Attributes.DUE_PK, Attributes.DUE_SK);
    }

    /** Sets the attribute if it is absent. */
    public Update setIfAbsent(String attribute, AttributeValue value) {
        sets.add((text, p) -> text.append(p.name(attribute))
                .append(" = if_not_exists(")
                .append(p.name(attribute))
                .append(", ")
                .append(p.value(value))
                .append(')'));
        return this;
    }

    public Update remove(String... attributes) {
        for (String attribute : attributes) {
            removes.add((text, p) -> text.append(p.name(attribute)));
        }
        return this;
    }

    /** Sets the attributes that have a value, and leaves the other attributes as they are. */
    public Update setPresent(Iterable<String> attributes, Map<String, AttributeValue> values) {
        for (String attribute : attributes) {
            if (values.containsKey(attribute)) {
                set(attribute, values.get(attribute));
            }
        }
        return this;
    }

    /** Sets the attributes that have a value, and removes the other attributes. */
    public Update replace(Iterable<String> attributes, Map<String, AttributeValue> values) {
        for (String attribute : attributes) {
            if (values.containsKey(attribute)) {
                set(attribute, values.get(attribute));
            } else {
                remove(attribute);
            }
        }
        return this;
    }

    /** Sets the attributes of a value, and removes its attributes that are left out. */
    public <T> Update replace(Codec<T> codec, T value) {
        return replace(codec.names(), codec.attributes(value));
    }

    /** Adds to a number, which counts as 0 if it is absent, or to a set. */
    public Update add(String attribute, AttributeValue value) {
        adds.add((text, p) -> text.append(p.name(attribute)).append(' ').append(p.value(value)));
        return this;
    }

    /** Adds a condition. The update is written only if all its conditions hold. */
    public Update when(Condition more) {
        condition = condition.and(more);
        return this;
    }

    Map<String, AttributeValue> key() {
        return key;
    }

    Condition condition() {
        return condition;
    }

    /** Returns the expression for a request; null if the update only creates the item. */
    String render(Placeholders placeholders) {
        StringBuilder expression = new StringBuilder(ExpressionPart.USUAL_LENGTH);
        append(expression, "SET ", sets, placeholders);
        append(expression, "REMOVE ", removes, placeholders);
        append(expression, "ADD ", adds, placeholders);
        return expression.isEmpty() ? null : expression.toString();
    }

    private static void append(
            StringBuilder expression, String word, List<ExpressionPart> parts, Placeholders placeholders) {
        if (!parts.isEmpty() && !expression.isEmpty()) {
            expression.append(' ');
        }
        String before = word;
        for (ExpressionPart part : parts) {
            part.appendTo(expression.append(before), placeholders);
            before = ", ";
        }
    }
}
