package dev.agenthealth.dynamodb.expression;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Values of every supported type under names that are no reserved words. */
final class SampleValues {

    static final Map<String, AttributeValue> VALUES = Map.ofEntries(
            Map.entry("s", AttributeValue.fromS("abc")),
            Map.entry("s2", AttributeValue.fromS("abd")),
            Map.entry("sx", AttributeValue.fromS("ab")),
            Map.entry("emoji", AttributeValue.fromS("\uD83D\uDE00")),
            Map.entry("wide", AttributeValue.fromS("\uFF5E")),
            Map.entry("n0", AttributeValue.fromN("0")),
            Map.entry("n", AttributeValue.fromN("3")),
            Map.entry("n5", AttributeValue.fromN("5.0")),
            Map.entry("n7", AttributeValue.fromN("-7.25")),
            Map.entry("b", AttributeValue.fromB(bytes("xy"))),
            Map.entry("bx", AttributeValue.fromB(bytes("x"))),
            Map.entry("by", AttributeValue.fromB(bytes("y"))),
            Map.entry("bq", AttributeValue.fromB(bytes("q"))),
            Map.entry("s0", AttributeValue.fromS("")),
            Map.entry("b0", AttributeValue.fromB(bytes(""))),
            Map.entry("flag", AttributeValue.fromBool(true)),
            Map.entry("no1", AttributeValue.fromBool(false)),
            Map.entry("l", AttributeValue.fromL(List.of(AttributeValue.fromN("3.0"), AttributeValue.fromS("ab")))),
            Map.entry("m", AttributeValue.fromM(Map.of("k", AttributeValue.fromN("1")))),
            Map.entry("bs", AttributeValue.fromBs(List.of(bytes("xy"), bytes("q")))),
            Map.entry("bs2", AttributeValue.fromBs(List.of(bytes("q"), bytes("new")))));

    private SampleValues() {}

    static SdkBytes bytes(String text) {
        return SdkBytes.fromUtf8String(text);
    }

    /** An item with the attributes {@code as_s}, {@code as_n} and so on. */
    static Map<String, AttributeValue> item() {
        Map<String, AttributeValue> item = new HashMap<>();
        VALUES.forEach((name, value) -> item.put("as_" + name, value));
        return item;
    }

    /** The names and values for the placeholders in these expressions. */
    static Arguments arguments(String... expressions) {
        return new Arguments(names(expressions), values(expressions));
    }

    /** Each name without its {@code #}; those that begin with {@code undefined} are left out. */
    static Map<String, String> names(String... expressions) {
        Map<String, String> names = new HashMap<>();
        for (String expression : expressions) {
            for (Token token : Lexer.tokens(expression)) {
                if (token.kind() == Token.Kind.NAME && !token.text().startsWith("#undefined")) {
                    names.put(token.text(), token.text().substring(1));
                }
            }
        }
        return names;
    }

    static Map<String, AttributeValue> values(String... expressions) {
        Map<String, AttributeValue> values = new HashMap<>();
        for (String expression : expressions) {
            for (Token token : Lexer.tokens(expression)) {
                AttributeValue value = VALUES.get(
                        token.text().substring(Math.min(1, token.text().length())));
                if (token.kind() == Token.Kind.VALUE && value != null) {
                    values.put(token.text(), value);
                }
            }
        }
        return values;
    }
}
