package dev.agenthealth.functions.storage.dynamo;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts values to DynamoDB's attribute values and back, under short names. */
public final class Values {

    /** The stored forms of small numbers, which most numbers of new items are. The SDK creates four objects for each value. */
    private static final List<AttributeValue> SMALL = IntStream.range(0, 64)
            .mapToObj(number -> AttributeValue.fromN(Integer.toString(number)))
            .toList();

    private Values() {}

    public static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    public static AttributeValue n(long number) {
        return number >= 0 && number < SMALL.size()
                ? SMALL.get((int) number)
                : AttributeValue.fromN(Long.toString(number));
    }

    public static AttributeValue flag(boolean value) {
        return AttributeValue.fromBool(value);
    }

    /** Returns a moment in epoch seconds, rounded down. */
    public static AttributeValue seconds(Instant moment) {
        return n(moment.getEpochSecond());
    }

    /** Returns a number in the shortest digits that read back as the same number. */
    public static AttributeValue decimal(double number) {
        return AttributeValue.fromN(new BigDecimal(Double.toString(number)).toPlainString());
    }

    public static AttributeValue b(byte[] bytes) {
        return AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
    }

    public static AttributeValue list(List<String> texts) {
        return AttributeValue.fromL(texts.stream().map(Values::s).toList());
    }

    /** Returns a moment in epoch milliseconds. */
    public static AttributeValue moment(Instant moment) {
        return n(moment.toEpochMilli());
    }

    /** Puts a text into an item, unless it is empty. */
    public static void putText(Map<String, AttributeValue> item, String name, String text) {
        if (!text.isEmpty()) {
            item.put(name, s(text));
        }
    }

    /** Puts a number into an item, unless it is the number that readers assume for a missing attribute. */
    public static void putNumber(Map<String, AttributeValue> item, String name, long number, long otherwise) {
        if (number != otherwise) {
            item.put(name, n(number));
        }
    }

    /** Returns the text of an attribute; empty if it is missing. */
    public static String text(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.s() == null ? "" : value.s();
    }

    /** Returns the number of an attribute; {@code otherwise} if it is missing. */
    public static long number(Map<String, AttributeValue> item, String name, long otherwise) {
        AttributeValue value = item.get(name);
        return value == null || value.n() == null ? otherwise : Long.parseLong(value.n());
    }

    /** Returns the bytes of an attribute; no bytes if it is missing. */
    public static byte[] bytes(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.b() == null ? new byte[0] : value.b().asByteArray();
    }

    /** Returns the moment of an attribute in epoch milliseconds; {@code otherwise} if it is missing. */
    public static Instant moment(Map<String, AttributeValue> item, String name, Instant otherwise) {
        AttributeValue value = item.get(name);
        return value == null || value.n() == null ? otherwise : Instant.ofEpochMilli(Long.parseLong(value.n()));
    }

    /** Returns the texts of a list attribute; empty if it is missing. */
    public static List<String> texts(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || !value.hasL()
                ? List.of()
                : value.l().stream().map(AttributeValue::s).toList();
    }
}
