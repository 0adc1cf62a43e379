package dev.agenthealth.functions.storage.dynamo;

import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A condition of a write, or a filter of a query: a tree that is rendered into the expression of one request. Immutable and thread-safe.
 *
 * <p>As in DynamoDB, a comparison is false if the item lacks the attribute.
 */
public final class Condition {

    /** A condition that is always true. The request gets no expression. */
    public static final Condition NONE = new Condition((text, placeholders) -> {});

    /** The binding of the outermost part. DynamoDB needs parentheses around some parts and refuses redundant parentheses. */
    private enum Form {
        COMPARISON,
        AND,
        OR
    }

    /** A comparison. The parts of most queries are records, because the first compiler creates objects of lambdas slowly. */
    private record Comparison(String attribute, String operator, AttributeValue value) implements ExpressionPart {

        @Override
        public void appendTo(StringBuilder text, Placeholders placeholders) {
            text.append(placeholders.name(attribute))
                    .append(' ')
                    .append(operator)
                    .append(' ')
                    .append(placeholders.value(value));
        }
    }

    private record Between(String attribute, AttributeValue first, AttributeValue last) implements ExpressionPart {

        @Override
        public void appendTo(StringBuilder text, Placeholders placeholders) {
            text.append(placeholders.name(attribute))
                    .append(" BETWEEN ")
                    .append(placeholders.value(first))
                    .append(" AND ")
                    .append(placeholders.value(last));
        }
    }

    private record Both(Condition left, Condition right) implements ExpressionPart {

        @Override
        public void appendTo(StringBuilder text, Placeholders placeholders) {
            left.appendWithin(Form.AND, text, placeholders);
            text.append(" AND ");
            right.appendWithin(Form.AND, text, placeholders);
        }
    }

    private final Form form;
    private final ExpressionPart rendering;

    private Condition(ExpressionPart rendering) {
        this(Form.COMPARISON, rendering);
    }

    private Condition(Form form, ExpressionPart rendering) {
        this.form = form;
        this.rendering = rendering;
    }

    /** Returns the condition that the item exists and has this attribute. */
    public static Condition exists(String attribute) {
        return ofFunction("attribute_exists(", attribute, ")");
    }

    /** Returns the condition that no item exists, or the item lacks this attribute. */
    public static Condition absent(String attribute) {
        return ofFunction("attribute_not_exists(", attribute, ")");
    }

    /** Returns the condition that the registry table has no such item, or the item has expired and waits to be removed. */
    public static Condition absentOrExpired(Instant now) {
        return absent(Attributes.PK).or(atMost(Attributes.EXPIRES, Values.n(now.getEpochSecond())));
    }

    /** Returns the condition that an item of the registry table has not expired, as a filter of queries. */
    public static Condition unexpired(Instant now) {
        return absent(Attributes.EXPIRES).or(moreThan(Attributes.EXPIRES, Values.n(now.getEpochSecond())));
    }

    public static Condition equal(String attribute, AttributeValue value) {
        return comparison(attribute, "=", value);
    }

    /** Returns the condition that the attribute holds this number. For 0 the attribute may be absent. */
    public static Condition numberOrAbsent(String attribute, long number) {
        return number == 0 ? absent(attribute) : equal(attribute, Values.n(number));
    }

    public static Condition lessThan(String attribute, AttributeValue value) {
        return comparison(attribute, "<", value);
    }

    public static Condition atMost(String attribute, AttributeValue value) {
        return comparison(attribute, "<=", value);
    }

    public static Condition moreThan(String attribute, AttributeValue value) {
        return comparison(attribute, ">", value);
    }

    public static Condition atLeast(String attribute, AttributeValue value) {
        return comparison(attribute, ">=", value);
    }

    /** Returns the condition that the attribute is a text with this prefix. */
    public static Condition beginsWith(String attribute, AttributeValue prefix) {
        return ofFunction("begins_with(", attribute, ", ", prefix, ")");
    }

    /** Returns the condition that the attribute lies between these values, both included. */
    public static Condition between(String attribute, AttributeValue first, AttributeValue last) {
        return new Condition(new Between(attribute, first, last));
    }

    /** Returns the condition that the attribute has one of these values. */
    public static Condition in(String attribute, List<AttributeValue> values) {
        return new Condition((text, p) -> {
            text.append(p.name(attribute));
            String before = " IN (";
            for (AttributeValue value : values) {
                text.append(before).append(p.value(value));
                before = ", ";
            }
            text.append(')');
        });
    }

    /** Returns the condition that the attribute is a set that contains this element, or a text that contains this text. */
    public static Condition contains(String attribute, AttributeValue element) {
        return ofFunction("contains(", attribute, ", ", element, ")");
    }

    /** Returns the condition that the attribute has fewer elements, characters or bytes than {@code size}. */
    public static Condition sizeLessThan(String attribute, long size) {
        return ofFunction("size(", attribute, ") < ", Values.n(size), "");
    }

    /** Returns the condition that the attribute has {@code size} elements, characters or bytes. */
    public static Condition sizeEqual(String attribute, long size) {
        return ofFunction("size(", attribute, ") = ", Values.n(size), "");
    }

    public Condition and(Condition other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        return new Condition(Form.AND, new Both(this, other));
    }

    public Condition or(Condition other) {
        return new Condition(Form.OR, (text, p) -> {
            rendering.appendTo(text, p);
            text.append(" OR ");
            other.rendering.appendTo(text, p);
        });
    }

    public Condition not() {
        return new Condition((text, p) -> appendWithin(Form.COMPARISON, text.append("NOT "), p));
    }

    /** Appends the expression as a part of a condition that binds as tightly as {@code outer}. */
    private void appendWithin(Form outer, StringBuilder text, Placeholders placeholders) {
        if (form.compareTo(outer) > 0) {
            rendering.appendTo(text.append('('), placeholders);
            text.append(')');
        } else {
            rendering.appendTo(text, placeholders);
        }
    }

    private static Condition comparison(String attribute, String operator, AttributeValue value) {
        return new Condition(new Comparison(attribute, operator, value));
    }

    private static Condition ofFunction(String before, String attribute, String after) {
        return new Condition(
                (text, p) -> text.append(before).append(p.name(attribute)).append(after));
    }

    private static Condition ofFunction(
            String before, String attribute, String between, AttributeValue value, String after) {
        return new Condition((text, p) -> text.append(before)
                .append(p.name(attribute))
                .append(between)
                .append(p.value(value))
                .append(after));
    }

    /** Returns the expression for a request; null for {@link #NONE}. */
    String render(Placeholders placeholders) {
        if (this == NONE) {
            return null;
        }
        StringBuilder text = new StringBuilder(ExpressionPart.USUAL_LENGTH);
        rendering.appendTo(text, placeholders);
        return text.toString();
    }
}
