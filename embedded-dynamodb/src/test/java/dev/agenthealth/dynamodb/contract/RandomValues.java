package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.b;
import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.flag;
import static dev.agenthealth.dynamodb.contract.Values.l;
import static dev.agenthealth.dynamodb.contract.Values.m;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Random keys and values of few kinds, so that requests meet. */
final class RandomValues {

    static final List<String> PARTITIONS = List.of("p", "q");
    static final List<String> SORT_KEYS = List.of("E#1", "E#2", "a", "\uffee", "\uD83D\uDE00");

    static final List<String> ATTRIBUTES = List.of("v", "w", "count", "u");
    static final List<String> INDEX_KEYS = List.of("fp", "fs", "dp", "ds");

    private RandomValues() {}

    static Arbitrary<Map<String, AttributeValue>> keys() {
        return Combinators.combine(Arbitraries.of(PARTITIONS), Arbitraries.of(SORT_KEYS))
                .as(Values::key);
    }

    static Arbitrary<String> numbers() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(-2, 12).map(String::valueOf),
                Arbitraries.of(
                        "1.50",
                        "1e1",
                        "-0.0",
                        "0.1",
                        "99999999999999999999999999999999999999",
                        "1E-130",
                        "x",
                        "1E126"));
    }

    static Arbitrary<String> texts() {
        return Arbitraries.of("", "a", "ab", "b", "\u00e9", "\uffee", "\uD83D\uDE00");
    }

    static Arbitrary<AttributeValue> scalars() {
        return Arbitraries.oneOf(
                numbers().map(Values::n),
                texts().map(Values::s),
                Arbitraries.of(b("a"), b("ab"), b(0x80), flag(true), flag(false)));
    }

    /** Without empty lists and maps: DynamoDB Local omits their values from its streams. */
    static Arbitrary<AttributeValue> values() {
        return Arbitraries.frequencyOf(
                Tuple.of(6, scalars()),
                Tuple.of(1, Arbitraries.of(bs("a"), bs("a", "b"), bs("b", "c"), l(n(1), s("a")), m("k", n(2)))));
    }

    /** Values for the keys of indexes, seldom invalid ones. */
    static Arbitrary<AttributeValue> indexKeys() {
        return Arbitraries.frequency(
                Tuple.of(8, s("p")),
                Tuple.of(8, s("q")),
                Tuple.of(8, s("\uffee")),
                Tuple.of(8, s("\uD83D\uDE00")),
                Tuple.of(1, s("")),
                Tuple.of(1, n(1)));
    }

    static Arbitrary<String> names() {
        return Arbitraries.of(ATTRIBUTES);
    }

    /** As an expression names an attribute; {@code count} is a reserved word. */
    static String named(String attribute) {
        return attribute.equals("count") ? "#c" : attribute;
    }

    static Arbitrary<Map<String, AttributeValue>> attributes() {
        Arbitrary<Map<String, AttributeValue>> plain =
                Arbitraries.maps(names(), values()).ofMaxSize(3);
        Arbitrary<Map<String, AttributeValue>> indexed =
                Arbitraries.maps(Arbitraries.of(INDEX_KEYS), indexKeys()).ofMaxSize(4);
        return Combinators.combine(plain, indexed).as((some, more) -> {
            Map<String, AttributeValue> all = new HashMap<>(some);
            all.putAll(more);
            return all;
        });
    }

    static Arbitrary<Map<String, AttributeValue>> items() {
        return Combinators.combine(keys(), attributes()).as((key, attributes) -> {
            Map<String, AttributeValue> item = with(key);
            item.putAll(attributes);
            return item;
        });
    }
}
