package dev.agenthealth.dynamodb.table;

import dev.agenthealth.dynamodb.value.Sizes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The stored form of an item: its size by DynamoDB's rules, the number of attributes, each name and value, and a CRC-32C of all of it.
 * Lengths and whole numbers are variable-length integers of seven bits per byte. Values are in normal form. Thread-safe.
 */
public final class ItemBytes {

    private static final int STRING = 1;
    private static final int INTEGER = 2;
    private static final int NUMBER = 3;
    private static final int BINARY = 4;
    private static final int TRUE = 5;
    private static final int FALSE = 6;
    private static final int LIST = 7;
    private static final int MAP = 8;
    private static final int BINARY_SET = 9;

    /** The maximum number of characters of a number that is stored as an integer, so that it fits into 64 bits. */
    private static final int MAX_INTEGER = 18;

    /** The short names and values that were decoded last, because most items share them. */
    private static final Decoded<String> NAMES = new Decoded<>(7);

    /** With their type and length; moments in milliseconds are longer. */
    private static final Decoded<AttributeValue> VALUES = new Decoded<>(5);

    private ItemBytes() {}

    /**
     * Returns the stored form of an item.
     *
     * @param size the item's size by DynamoDB's rules
     */
    public static byte[] write(Map<String, AttributeValue> item, int size) {
        return write(size, item.size(), out -> item.forEach(out::attribute));
    }

    /** Returns the stored form of an item. */
    public static byte[] write(Map<String, AttributeValue> item) {
        return item instanceof StoredItem stored ? stored.stored() : write(item, Sizes.item(item));
    }

    /**
     * Returns the stored form of an item.
     *
     * @param size the item's size by DynamoDB's rules
     * @param count the number of attributes
     */
    static byte[] write(int size, int count, Consumer<Out> attributes) {
        Out out = new Out(size + 16 + 4 * count);
        out.number(size);
        out.number(count);
        attributes.accept(out);
        byte[] bytes = Arrays.copyOf(out.bytes, out.length + Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(out.length, checksum(bytes, out.length));
        return bytes;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    /** Returns an item's size by DynamoDB's rules. */
    public static int size(Map<String, AttributeValue> item) {
        return item instanceof StoredItem stored ? stored.bytes() : Sizes.item(item);
    }

    /** Returns a stored item's size by DynamoDB's rules. */
    public static int size(byte[] bytes) {
        return (int) new In(bytes).number();
    }

    /**
     * Returns the item as a mutable map.
     *
     * @throws IllegalStateException if the bytes are damaged
     */
    public static Map<String, AttributeValue> read(byte[] bytes) {
        In in = new In(bytes);
        return undamaged(in, () -> {
            in.number();
            return in.map();
        });
    }

    /**
     * Reads a stored item to its end.
     *
     * @throws IllegalStateException if the bytes are damaged
     */
    static Map<String, AttributeValue> undamaged(In in, Supplier<Map<String, AttributeValue>> reading) {
        try {
            Map<String, AttributeValue> item = reading.get();
            // Versions before the first release wrote no checksum.
            if (in.at == in.bytes.length
                    || in.at == in.bytes.length - Integer.BYTES
                            && ByteBuffer.wrap(in.bytes).getInt(in.at) == checksum(in.bytes, in.at)) {
                return item;
            }
        } catch (IndexOutOfBoundsException | NegativeArraySizeException | IllegalArgumentException e) {
            throw damaged(e);
        }
        throw damaged(null);
    }

    private static IllegalStateException damaged(RuntimeException reason) {
        return new IllegalStateException(
                "a stored item is damaged; check the data folder, and restore a backup", reason);
    }

    /** Writes stored bytes. */
    static final class Out {

        private byte[] bytes;
        private int length;

        Out(int expected) {
            bytes = new byte[expected];
        }

        void map(Map<String, AttributeValue> map) {
            number(map.size());
            map.forEach(this::attribute);
        }

        void attribute(String name, AttributeValue value) {
            text(name);
            value(value);
        }

        /** Writes bytes in stored form. */
        void bytes(byte[] source, int from, int to) {
            reserve(to - from);
            System.arraycopy(source, from, bytes, length, to - from);
            length += to - from;
        }

        private void value(AttributeValue value) {
            switch (value.type()) {
                case S -> {
                    tag(STRING);
                    text(value.s());
                }
                case N -> numeric(value.n());
                case B -> {
                    tag(BINARY);
                    raw(value.b().asByteArrayUnsafe());
                }
                case BOOL -> tag(value.bool() ? TRUE : FALSE);
                case L -> {
                    tag(LIST);
                    number(value.l().size());
                    value.l().forEach(this::value);
                }
                case M -> {
                    tag(MAP);
                    map(value.m());
                }
                case BS -> {
                    tag(BINARY_SET);
                    number(value.bs().size());
                    value.bs().forEach(element -> raw(element.asByteArrayUnsafe()));
                }
                default -> throw new IllegalArgumentException("values of type " + value.type());
            }
        }

        private void numeric(String digits) {
            if (isInteger(digits)) {
                tag(INTEGER);
                long number = Long.parseLong(digits);
                number((number << 1) ^ (number >> 63));
            } else {
                tag(NUMBER);
                text(digits);
            }
        }

        private static boolean isInteger(String digits) {
            if (digits.length() > MAX_INTEGER) {
                return false;
            }
            for (int i = 0; i < digits.length(); i++) {
                char c = digits.charAt(i);
                if ((c < '0' || c > '9') && !(c == '-' && i == 0)) {
                    return false;
                }
            }
            return true;
        }

        private void text(String text) {
            int chars = text.length();
            reserve(3 * chars + 10);
            // Most texts are ASCII, so that the number of bytes equals the number of characters.
            int start = length;
            number(chars);
            int at = length;
            for (int i = 0; i < chars; i++) {
                char c = text.charAt(i);
                if (c >= 0x80) {
                    length = start;
                    raw(text.getBytes(StandardCharsets.UTF_8));
                    return;
                }
                bytes[at++] = (byte) c;
            }
            length = at;
        }

        private void raw(byte[] raw) {
            number(raw.length);
            reserve(raw.length);
            System.arraycopy(raw, 0, bytes, length, raw.length);
            length += raw.length;
        }

        private void tag(int tag) {
            reserve(1);
            bytes[length++] = (byte) tag;
        }

        private void number(long number) {
            reserve(10);
            long rest = number;
            while ((rest & ~0x7fL) != 0) {
                bytes[length++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            bytes[length++] = (byte) rest;
        }

        private void reserve(int more) {
            if (length + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
            }
        }
    }

    /** Reads stored bytes from a position on. */
    static final class In {

        final byte[] bytes;
        int at;

        In(byte[] bytes) {
            this.bytes = bytes;
        }

        Map<String, AttributeValue> map() {
            int count = (int) number();
            Map<String, AttributeValue> map = new HashMap<>(count * 4 / 3 + 1);
            for (int i = 0; i < count; i++) {
                String name = name((int) number());
                map.put(name, value());
            }
            return map;
        }

        AttributeValue value() {
            int start = at;
            int tag = bytes[at++];
            if (tag != STRING && tag != INTEGER) {
                return value(tag);
            }
            skipRest(tag);
            long code = VALUES.code(bytes, start, at);
            AttributeValue known = VALUES.find(code);
            if (known != null) {
                return known;
            }
            at = start + 1;
            return VALUES.keep(code, value(tag));
        }

        private AttributeValue value(int tag) {
            return switch (tag) {
                case STRING -> AttributeValue.fromS(text());
                case INTEGER -> {
                    long number = number();
                    yield AttributeValue.fromN(Long.toString((number >>> 1) ^ -(number & 1)));
                }
                case NUMBER -> AttributeValue.fromN(text());
                case BINARY -> AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(raw()));
                case TRUE -> AttributeValue.fromBool(true);
                case FALSE -> AttributeValue.fromBool(false);
                case LIST -> {
                    int count = (int) number();
                    List<AttributeValue> list = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        list.add(value());
                    }
                    yield AttributeValue.fromL(list);
                }
                case MAP -> AttributeValue.fromM(map());
                case BINARY_SET -> {
                    int count = (int) number();
                    List<SdkBytes> set = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        set.add(SdkBytes.fromByteArrayUnsafe(raw()));
                    }
                    yield AttributeValue.fromBs(set);
                }
                default -> throw unknown(tag);
            };
        }

        /** Moves behind a value. */
        void skipValue() {
            skipRest(bytes[at++]);
        }

        private void skipRest(int tag) {
            switch (tag) {
                case INTEGER -> number();
                case STRING, NUMBER, BINARY -> skip((int) number());
                case TRUE, FALSE -> {}
                case LIST -> {
                    int count = (int) number();
                    for (int i = 0; i < count; i++) {
                        skipValue();
                    }
                }
                case MAP -> {
                    int count = (int) number();
                    for (int i = 0; i < count; i++) {
                        skip((int) number());
                        skipValue();
                    }
                }
                case BINARY_SET -> {
                    int count = (int) number();
                    for (int i = 0; i < count; i++) {
                        skip((int) number());
                    }
                }
                default -> throw unknown(tag);
            }
        }

        /** Moves behind some bytes. */
        void skip(int length) {
            Objects.checkFromIndexSize(at, length, bytes.length);
            at += length;
        }

        private static IllegalStateException unknown(int tag) {
            return new IllegalStateException("a stored item has a value of the unknown type " + tag);
        }

        private String text() {
            return text((int) number());
        }

        /** Returns the name of an attribute. */
        String name(int length) {
            Objects.checkFromIndexSize(at, length, bytes.length);
            long code = NAMES.code(bytes, at, at + length);
            String known = NAMES.find(code);
            if (known != null) {
                at += length;
                return known;
            }
            return NAMES.keep(code, text(length));
        }

        String text(int length) {
            String text = new String(bytes, at, length, StandardCharsets.UTF_8);
            at += length;
            return text;
        }

        private byte[] raw() {
            int length = (int) number();
            byte[] raw = Arrays.copyOfRange(bytes, at, at + length);
            at += length;
            return raw;
        }

        long number() {
            long number = 0;
            int shift = 0;
            while (true) {
                byte b = bytes[at++];
                number |= (b & 0x7fL) << shift;
                if (b >= 0) {
                    return number;
                }
                shift += 7;
            }
        }
    }
}
