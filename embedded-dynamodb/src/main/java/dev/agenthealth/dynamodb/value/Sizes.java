package dev.agenthealth.dynamodb.value;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Sizes in bytes, as DynamoDB counts them for limits and capacity. */
public final class Sizes {

    private static final int COLLECTION = 3;
    private static final int ELEMENT = 1;

    private Sizes() {}

    /** Returns the size of an item: its names and values. */
    public static int item(Map<String, AttributeValue> item) {
        int size = 0;
        for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
            size += utf8(attribute.getKey()) + of(attribute.getValue());
        }
        return size;
    }

    /** Returns the size of a value in normal form, without its attribute's name. */
    public static int of(AttributeValue value) {
        return switch (value.type()) {
            case S -> utf8(value.s());
            case N -> number(value.n());
            case B -> value.b().asByteArrayUnsafe().length;
            case BOOL -> 1;
            case L -> list(value.l());
            case M -> COLLECTION + item(value.m()) + ELEMENT * value.m().size();
            case BS -> binarySet(value.bs());
            default -> throw DynamoDbErrors.unsupported("values of the type " + value.type());
        };
    }

    /** Returns the length of a text in UTF-8. */
    public static int utf8(String text) {
        int length = text.length();
        int bytes = length;
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character < 0x80) {
                continue;
            }
            if (character < 0x800) {
                bytes++;
            } else if (!Character.isSurrogate(character)) {
                bytes += 2;
            } else if (Character.isHighSurrogate(character)
                    && i + 1 < length
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 2;
                i++;
            }
            // An unpaired surrogate is encoded as a question mark.
        }
        return bytes;
    }

    private static int list(List<AttributeValue> elements) {
        int size = COLLECTION;
        for (AttributeValue element : elements) {
            size += of(element) + ELEMENT;
        }
        return size;
    }

    private static int binarySet(List<SdkBytes> elements) {
        int size = COLLECTION;
        for (SdkBytes element : elements) {
            size += element.asByteArrayUnsafe().length + ELEMENT;
        }
        return size;
    }

    /** Returns the size of a number: a byte per two digits, another byte, and a byte for a sign. A decimal point counts as a digit. */
    private static int number(String number) {
        int sign = number.startsWith("-") ? 1 : 0;
        int start = sign;
        int end = number.length();
        while (start < end && number.charAt(start) == '0') {
            start++;
        }
        while (end > start && number.charAt(end - 1) == '0') {
            end--;
        }
        return (end - start + 1) / 2 + 1 + sign;
    }
}
