package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Writes JSON in its canonical form (RFC 8785). */
public final class CanonicalJson {

    private static final int MAX_DIGITS = 17;

    /** Numbers below ten to this power are written without an exponent (ECMA-262, Number::toString). */
    private static final int MAX_PLAIN_EXPONENT = 21;

    private static final int MIN_PLAIN_EXPONENT = -6;

    private final StringBuilder text = new StringBuilder();

    private CanonicalJson() {}

    /**
     * Returns the canonical form in UTF-8.
     *
     * @throws IllegalArgumentException if the tree has a number beyond the range of a {@code double} or half of a surrogate pair,
     *     which have no canonical form
     */
    public static byte[] of(JsonNode tree) {
        CanonicalJson canonical = new CanonicalJson();
        canonical.write(tree);
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(canonical.text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text has half of a surrogate pair", e);
        }
    }

    private void write(JsonNode node) {
        if (node.isObject()) {
            // Java compares texts by UTF-16 code units, and the RFC requires this order.
            Map<String, JsonNode> sorted = new TreeMap<>();
            node.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
            String separator = "{";
            for (var field : sorted.entrySet()) {
                text.append(separator);
                quote(field.getKey());
                text.append(':');
                write(field.getValue());
                separator = ",";
            }
            text.append(sorted.isEmpty() ? "{}" : "}");
        } else if (node.isArray()) {
            String separator = "[";
            for (JsonNode element : node) {
                text.append(separator);
                write(element);
                separator = ",";
            }
            text.append(node.isEmpty() ? "[]" : "]");
        } else if (node.isTextual()) {
            quote(node.textValue());
        } else if (node.isNumber()) {
            text.append(number(node.doubleValue()));
        } else {
            text.append(node.asText());
        }
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\b' -> text.append("\\b");
                case '\f' -> text.append("\\f");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ') {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    /** Returns the text of a number as ECMAScript writes it. */
    static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a number is too large");
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int length = digits.length();
        int point = length - shortest.scale();
        String sign = value < 0 ? "-" : "";
        if (point > MAX_PLAIN_EXPONENT || point <= MIN_PLAIN_EXPONENT) {
            String fraction = length == 1 ? "" : "." + digits.substring(1);
            return sign + digits.charAt(0) + fraction + "e" + (point > 0 ? "+" : "") + (point - 1);
        }
        if (point <= 0) {
            return sign + "0." + "0".repeat(-point) + digits;
        }
        return sign
                + (point >= length
                        ? digits + "0".repeat(point - length)
                        : digits.substring(0, point) + "." + digits.substring(point));
    }

    /** Returns the decimal with the fewest digits that reads as this number. */
    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int precision = 1; precision < MAX_DIGITS; precision++) {
            // At a power of two, the next number above is farther away than the next number below.
            for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.UP}) {
                BigDecimal rounded = exact.round(new MathContext(precision, mode));
                if (rounded.doubleValue() == value) {
                    return rounded.stripTrailingZeros();
                }
            }
        }
        return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }
}
