package dev.agenthealth.dynamodb.value;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attribute values: normal form, equality and order. */
public final class Values {

    private static final int MAX_DEPTH = 32;

    /** The maximum length of an attribute's name, in bytes. */
    private static final int MAX_NAME = 65_535;

    /** The maximum size of a set that is searched element by element. */
    private static final int SMALL_SET = 8;

    private Values() {}

    /**
     * Returns the item in normal form; the same object if it is in that form.
     *
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException if DynamoDB refuses a value
     * @throws UnsupportedOperationException if a value has an unsupported type
     */
    public static Map<String, AttributeValue> normalized(Map<String, AttributeValue> item) {
        return normalized(item, 1);
    }

    /**
     * Returns the value in normal form; the same object if it is in that form.
     *
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException if DynamoDB refuses the value
     * @throws UnsupportedOperationException if the value has an unsupported type
     */
    public static AttributeValue normalized(AttributeValue value) {
        return normalized(value, 0);
    }

    /**
     * Checks the nesting of a value in normal form; the item itself counts as a level.
     *
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException if the value is nested too deep
     */
    public static void checkNesting(AttributeValue value) {
        normalized(value, 1);
    }

    /** Returns true if two values in normal form are equal. Sets and maps have no order; values of different types are never equal. */
    public static boolean equal(AttributeValue one, AttributeValue other) {
        if (one == other) {
            return true;
        }
        if (one.type() != other.type()) {
            return false;
        }
        return switch (one.type()) {
            case S -> one.s().equals(other.s());
            case N -> one.n().equals(other.n());
            case B -> one.b().equals(other.b());
            case BOOL -> one.bool().equals(other.bool());
            case L -> equal(one.l(), other.l());
            case M -> equal(one.m(), other.m());
            case BS -> one.bs().size() == other.bs().size() && containsAll(one.bs(), other.bs());
            default -> throw DynamoDbErrors.unsupported("values of the type " + one.type());
        };
    }

    /**
     * Compares two values in normal form: texts by their UTF-8 bytes, numbers by value, binaries by unsigned bytes.
     *
     * @return empty if the types differ or have no order
     */
    public static OptionalInt compare(AttributeValue one, AttributeValue other) {
        if (one.type() != other.type()) {
            return OptionalInt.empty();
        }
        return switch (one.type()) {
            case S -> OptionalInt.of(compareTexts(one.s(), other.s()));
            case N -> OptionalInt.of(Numbers.compare(one.n(), other.n()));
            case B ->
                OptionalInt.of(Arrays.compareUnsigned(
                        one.b().asByteArrayUnsafe(), other.b().asByteArrayUnsafe()));
            default -> OptionalInt.empty();
        };
    }

    /** Compares two texts by their UTF-8 bytes, which is the order of their code points. */
    public static int compareTexts(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char first = one.charAt(i);
            char second = other.charAt(i);
            if (first != second) {
                return byCodePoint(first) - byCodePoint(second);
            }
        }
        return one.length() - other.length();
    }

    /** Orders surrogates after all other characters, since they stand for the highest code points. */
    private static int byCodePoint(char character) {
        return Character.isSurrogate(character) ? character + Character.MAX_VALUE : character;
    }

    private static boolean equal(List<AttributeValue> one, List<AttributeValue> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!equal(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equal(Map<String, AttributeValue> one, Map<String, AttributeValue> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (Map.Entry<String, AttributeValue> entry : one.entrySet()) {
            AttributeValue value = other.get(entry.getKey());
            if (value == null || !equal(entry.getValue(), value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean containsAll(List<SdkBytes> elements, List<SdkBytes> others) {
        return elements.size() <= SMALL_SET
                ? elements.containsAll(others)
                : new HashSet<>(elements).containsAll(others);
    }

    private static AttributeValue normalized(AttributeValue value, int depth) {
        if (value == null) {
            throw empty();
        }
        if (value.type() == null) {
            throw DynamoDbErrors.invalid("Supplied AttributeValue has more than one datatypes set,"
                    + " must contain exactly one of the supported datatypes");
        }
        return switch (value.type()) {
            case S, B, BOOL -> value;
            case N -> {
                String number = Numbers.normal(value.n());
                yield number.equals(value.n()) ? value : AttributeValue.fromN(number);
            }
            case L -> {
                List<AttributeValue> elements = normalized(value.l(), deeper(depth));
                yield elements == value.l() ? value : AttributeValue.fromL(elements);
            }
            case M -> {
                Map<String, AttributeValue> members = normalized(value.m(), deeper(depth));
                yield members == value.m() ? value : AttributeValue.fromM(members);
            }
            case BS -> checkedSet(value);
            case SS, NS, NUL -> throw DynamoDbErrors.unsupported("values of the type " + value.type());
            case UNKNOWN_TO_SDK_VERSION -> throw empty();
        };
    }

    private static int deeper(int depth) {
        if (depth == MAX_DEPTH) {
            throw DynamoDbErrors.invalid("Nesting Levels have exceeded supported limits:"
                    + " Attributes in the item have nested levels beyond supported limit");
        }
        return depth + 1;
    }

    private static List<AttributeValue> normalized(List<AttributeValue> elements, int depth) {
        AttributeValue[] changed = null;
        for (int i = 0; i < elements.size(); i++) {
            AttributeValue element = elements.get(i);
            AttributeValue normal = normalized(element, depth);
            if (normal != element) {
                if (changed == null) {
                    changed = elements.toArray(new AttributeValue[0]);
                }
                changed[i] = normal;
            }
        }
        return changed == null ? elements : List.of(changed);
    }

    private static Map<String, AttributeValue> normalized(Map<String, AttributeValue> members, int depth) {
        Map<String, AttributeValue> changed = null;
        for (Map.Entry<String, AttributeValue> member : members.entrySet()) {
            checkName(member.getKey());
            AttributeValue normal = normalized(member.getValue(), depth);
            if (normal != member.getValue()) {
                if (changed == null) {
                    changed = new HashMap<>(members);
                }
                changed.put(member.getKey(), normal);
            }
        }
        return changed == null ? members : changed;
    }

    private static void checkName(String name) {
        if (name.isEmpty()) {
            throw DynamoDbErrors.invalid("Empty attribute name");
        }
        if (name.length() > MAX_NAME / 3 && Sizes.utf8(name) > MAX_NAME) {
            throw DynamoDbErrors.invalid("Attribute name is too large, must be less than 65536 bytes");
        }
    }

    private static AttributeValue checkedSet(AttributeValue value) {
        List<SdkBytes> elements = value.bs();
        if (elements.isEmpty()) {
            throw DynamoDbErrors.invalid("One or more parameter values were invalid: Binary sets should not be empty");
        }
        if (elements.size() > 1 && new HashSet<>(elements).size() < elements.size()) {
            throw DynamoDbErrors.invalid(
                    "One or more parameter values were invalid: Input collection of type BS contains duplicates.");
        }
        return value;
    }

    private static RuntimeException empty() {
        return DynamoDbErrors.invalid(
                "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
    }
}
