package dev.agenthealth.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The size of an item by DynamoDB's rules: the bytes of names and values, with one byte per two digits of a number. */
public final class ItemSize {

    private ItemSize() {}

    public static int of(Map<String, AttributeValue> item) {
        return item.entrySet().stream()
                .mapToInt(e -> bytes(e.getKey()) + of(e.getValue()))
                .sum();
    }

    private static int of(AttributeValue value) {
        return switch (value.type()) {
            case S -> bytes(value.s());
            case N -> number(value.n());
            case B -> value.b().asByteArray().length;
            case BOOL -> 1;
            case L -> 3 + value.l().stream().mapToInt(e -> of(e) + 1).sum();
            case M -> 3 + of(value.m()) + value.m().size();
            // The overhead of a set's elements is not documented; one byte each is the overhead in a list.
            case SS -> 3 + value.ss().stream().mapToInt(s -> bytes(s) + 1).sum();
            case BS ->
                3
                        + value.bs().stream()
                                .mapToInt(b -> b.asByteArray().length + 1)
                                .sum();
            default -> throw new IllegalArgumentException("nothing is known of the type " + value.type());
        };
    }

    private static int number(String digits) {
        boolean negative = digits.startsWith("-");
        int significant =
                digits.replaceFirst("^-?0*", "").replaceFirst("0*$", "").length();
        return (significant + 1) / 2 + 1 + (negative ? 1 : 0);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
