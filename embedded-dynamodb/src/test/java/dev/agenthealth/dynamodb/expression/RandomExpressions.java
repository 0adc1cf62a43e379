package dev.agenthealth.dynamodb.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Random expressions of the supported subset, and random items for them. */
final class RandomExpressions {

    private static final List<String> ATTRIBUTES = List.of("p1", "p2", "p3", "p4", "p5", "p6");
    private static final List<String> VALUES = List.copyOf(new TreeSet<>(SampleValues.VALUES.keySet()));

    private static final List<String> TEXTS_AND_BINARIES = List.of(":s", ":s2", ":sx", ":emoji", ":b", ":bx");
    private static final List<String> ORDERED =
            List.of(":s", ":s2", ":sx", ":emoji", ":wide", ":n0", ":n", ":n5", ":n7", ":b", ":bx");
    private static final List<String> RANGES =
            List.of(":n7 AND :n", ":n AND :n5", ":sx AND :s", ":s AND :wide", ":wide AND :emoji", ":bx AND :b");

    private final Random random;

    RandomExpressions(Random random) {
        this.random = random;
    }

    Map<String, AttributeValue> item() {
        Map<String, AttributeValue> item = new HashMap<>();
        for (String attribute : ATTRIBUTES) {
            if (random.nextInt(4) > 0) {
                item.put(attribute, SampleValues.VALUES.get(one(VALUES)));
            }
        }
        return item;
    }

    /** A condition with at most this depth. */
    String condition(int depth) {
        if (depth == 0) {
            return comparison();
        }
        return switch (random.nextInt(4)) {
            case 0 -> condition(depth - 1) + " AND " + condition(depth - 1);
            case 1 -> condition(depth - 1) + " OR " + condition(depth - 1);
            case 2 -> "NOT " + comparison();
            default -> random.nextBoolean() ? comparison() : "NOT (" + condition(0) + ")";
        };
    }

    String update() {
        List<String> sets = new ArrayList<>();
        List<String> removes = new ArrayList<>();
        List<String> adds = new ArrayList<>();
        for (String attribute : ATTRIBUTES) {
            switch (random.nextInt(5)) {
                case 0 -> sets.add(attribute + " = " + value());
                case 1 -> sets.add(attribute + " = if_not_exists(" + attribute() + ", " + value() + ")");
                case 2 -> removes.add(attribute);
                case 3 -> adds.add(attribute + " " + one(List.of(":n", ":n5", ":n7", ":bs", ":bs2")));
                default -> {}
            }
        }
        return Stream.of(clause("SET ", sets), clause("REMOVE ", removes), clause("ADD ", adds))
                .filter(clause -> !clause.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String clause(String keyword, List<String> actions) {
        return actions.isEmpty() ? "" : keyword + String.join(", ", actions);
    }

    private String comparison() {
        return switch (random.nextInt(9)) {
            case 0 -> "attribute_exists(" + attribute() + ")";
            case 1 -> "attribute_not_exists(" + attribute() + ")";
            case 2 -> "begins_with(" + attribute() + ", " + mostly(TEXTS_AND_BINARIES) + ")";
            case 3 -> "contains(" + attribute() + ", " + value() + ")";
            case 4 -> attribute() + " IN (" + value() + ", " + value() + ")";
            case 5 -> attribute() + " BETWEEN " + mostly(RANGES);
            case 6 -> "size(" + attribute() + ")" + operator() + one(List.of(":n", ":n0", ":n5"));
            case 7 -> attribute() + operator() + attribute();
            default ->
                random.nextBoolean() ? attribute() + " = " + value() : attribute() + operator() + mostly(ORDERED);
        };
    }

    private String operator() {
        return one(List.of(" = ", " < ", " <= ", " > ", " >= "));
    }

    private String attribute() {
        return (random.nextBoolean() ? "#" : "") + one(ATTRIBUTES);
    }

    private String value() {
        return ":" + one(VALUES);
    }

    /** One of these; rarely another one, which may be of a wrong type. */
    private String mostly(List<String> valid) {
        return random.nextInt(40) > 0 ? one(valid) : value() + (valid == RANGES ? " AND " + value() : "");
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
