package dev.agenthealth.dynamodb.contract;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Short words for attribute values and items. */
final class Values {

    private Values() {}

    static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    static AttributeValue n(String number) {
        return AttributeValue.fromN(number);
    }

    static AttributeValue n(long number) {
        return n(Long.toString(number));
    }

    static AttributeValue b(String text) {
        return AttributeValue.fromB(bytes(text));
    }

    static AttributeValue b(int... bytes) {
        byte[] array = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = (byte) bytes[i];
        }
        return AttributeValue.fromB(SdkBytes.fromByteArray(array));
    }

    static AttributeValue bs(String... elements) {
        return AttributeValue.fromBs(Arrays.stream(elements).map(Values::bytes).toList());
    }

    static AttributeValue flag(boolean value) {
        return AttributeValue.fromBool(value);
    }

    static AttributeValue l(AttributeValue... elements) {
        return AttributeValue.fromL(List.of(elements));
    }

    static AttributeValue m(Object... namesAndValues) {
        return AttributeValue.fromM(item(namesAndValues));
    }

    /** An item, or the values of placeholders, from names and values in turn. */
    static Map<String, AttributeValue> item(Object... namesAndValues) {
        return with(Map.of(), namesAndValues);
    }

    /** A copy of an item with further attributes. */
    static Map<String, AttributeValue> with(Map<String, AttributeValue> item, Object... namesAndValues) {
        Map<String, AttributeValue> result = new HashMap<>(item);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            result.put((String) namesAndValues[i], (AttributeValue) namesAndValues[i + 1]);
        }
        return result;
    }

    /** A copy of an item that has these attributes only. */
    static Map<String, AttributeValue> only(Map<String, AttributeValue> item, String... names) {
        Map<String, AttributeValue> result = new HashMap<>(item);
        result.keySet().retainAll(List.of(names));
        return result;
    }

    static Map<String, AttributeValue> key(String pk, String sk) {
        return item("pk", s(pk), "sk", s(sk));
    }

    static Map<String, AttributeValue> id(String id) {
        return item("id", s(id));
    }

    /** Equal for equal values: the elements of a set have no order. */
    static Map<String, Object> normalized(Map<String, AttributeValue> item) {
        Map<String, Object> result = new HashMap<>();
        item.forEach((name, value) -> result.put(name, normalized(value)));
        return result;
    }

    private static Object normalized(AttributeValue value) {
        return switch (value.type()) {
            case BS -> value.bs().stream().map(SdkBytes::asByteBuffer).sorted().toList();
            case L -> value.l().stream().map(Values::normalized).toList();
            case M -> normalized(value.m());
            default -> value;
        };
    }

    private static SdkBytes bytes(String text) {
        return SdkBytes.fromString(text, StandardCharsets.ISO_8859_1);
    }
}
