package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.expression.Expressions;
import dev.agenthealth.dynamodb.expression.Update;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.StoredItem;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.dynamodb.value.Values;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A write of one item, or a check of its condition, ready to be applied. Everything that does not depend on the stored item has been
 * validated.
 *
 * @param key the item's key in stored form
 * @param change computes the new item from the stored item; an absent item is empty
 * @param attributes the attributes that the write may change; empty for all
 * @param encoded the stored form of the new item; empty if the new item depends on the stored item, or is empty
 */
record ItemWrite(
        Table table,
        byte[] key,
        Condition condition,
        UnaryOperator<Map<String, AttributeValue>> change,
        Set<String> attributes,
        byte[] encoded) {

    private static final Condition ALWAYS = item -> true;

    private static final byte[] UNKNOWN = new byte[0];

    static ItemWrite put(Table table, Map<String, AttributeValue> item, Condition condition) {
        Map<String, AttributeValue> stored = Values.normalized(item);
        KeyCheck.checkItem(table, stored);
        int size = Sizes.item(stored);
        if (size > Limits.MAX_ITEM) {
            throw invalid("Item size has exceeded the maximum allowed size");
        }
        // The writer is shared, so that the item is encoded before.
        return new ItemWrite(
                table,
                Keys.of(table.keys(), stored),
                condition,
                before -> stored,
                Set.of(),
                ItemBytes.write(stored, size));
    }

    /** @param expression the update expression; empty if the update only creates the item */
    static ItemWrite update(
            Table table, Map<String, AttributeValue> key, String expression, Arguments arguments, Condition condition) {
        Map<String, AttributeValue> stored = key(table, key);
        if (expression.isEmpty()) {
            return new ItemWrite(
                    table,
                    Keys.of(table.keys(), stored),
                    condition,
                    before -> before.isEmpty() ? stored : before,
                    Set.of(),
                    UNKNOWN);
        }
        Update update = Expressions.update(expression, arguments);
        for (KeyAttribute attribute : table.keys().attributes()) {
            if (update.attributes().contains(attribute.name())) {
                throw invalid("One or more parameter values were invalid: Cannot update attribute " + attribute.name()
                        + ". This attribute is part of the key");
            }
        }
        return new ItemWrite(
                table,
                Keys.of(table.keys(), stored),
                condition,
                before -> updated(table, update, before.isEmpty() ? new HashMap<>(stored) : before),
                update.attributes(),
                UNKNOWN);
    }

    private static Map<String, AttributeValue> updated(Table table, Update update, Map<String, AttributeValue> before) {
        Map<String, AttributeValue> now = before instanceof StoredItem stored ? stored.copy() : new HashMap<>(before);
        update.apply(before, now);
        KeyCheck.checkIndexes(table, now);
        if (ItemBytes.size(now) > Limits.MAX_ITEM) {
            throw invalid("Item size to update has exceeded the maximum allowed size");
        }
        return now;
    }

    static ItemWrite delete(Table table, Map<String, AttributeValue> key, Condition condition) {
        Map<String, AttributeValue> stored = key(table, key);
        return new ItemWrite(table, Keys.of(table.keys(), stored), condition, before -> Map.of(), Set.of(), UNKNOWN);
    }

    static ItemWrite check(Table table, Map<String, AttributeValue> key, Condition condition) {
        Map<String, AttributeValue> stored = key(table, key);
        return new ItemWrite(table, Keys.of(table.keys(), stored), condition, before -> before, Set.of(), UNKNOWN);
    }

    private static Map<String, AttributeValue> key(Table table, Map<String, AttributeValue> key) {
        Map<String, AttributeValue> stored = Values.normalized(key);
        KeyCheck.checkKey(table.keys(), stored);
        return stored;
    }

    /** Returns the condition of a request, which always holds if the expression is null. */
    static Condition condition(String expression, Arguments arguments) {
        return expression == null ? ALWAYS : Expressions.condition(expression, "ConditionExpression", arguments);
    }

    /** Returns the update expression of a request. Empty if the expression is null: the update then only creates the item. */
    static String updateExpression(String expression) {
        if (expression != null && expression.isBlank()) {
            throw invalid("Invalid UpdateExpression: The expression can not be empty;");
        }
        return expression == null ? "" : expression;
    }

    /**
     * The effect of a write on the stored item.
     *
     * @param table the current definition
     * @param holds whether the condition holds; otherwise nothing is written
     * @param before the stored item; empty if it is absent
     * @param now the new item; empty to remove it
     */
    record Outcome(Table table, boolean holds, Map<String, AttributeValue> before, Map<String, AttributeValue> now) {}

    /** Reads the stored item and computes the outcome; writes nothing. */
    Outcome evaluate(Session session, Catalogue catalogue) throws SQLException {
        Table current = catalogue.current(table);
        return evaluate(current, Rows.find(session, current, key));
    }

    /**
     * Computes the outcome; writes nothing.
     *
     * @param current the current definition of the table
     * @param bytes the stored item; empty if it is absent
     */
    Outcome evaluate(Table current, byte[] bytes) {
        Map<String, AttributeValue> before = bytes.length == 0 ? Map.of() : StoredItem.of(bytes);
        if (!condition.holds(before)) {
            return new Outcome(current, false, before, before);
        }
        return new Outcome(current, true, before, change.apply(before));
    }

    /** Writes the outcome and returns true if it changed something. */
    boolean apply(Session session, Outcome outcome, Rows.Origin origin) throws SQLException {
        return encoded.length == 0
                ? Rows.replace(session, outcome.table(), key, outcome.before(), outcome.now(), origin)
                : Rows.replace(session, outcome.table(), key, outcome.before(), outcome.now(), encoded, origin);
    }
}
