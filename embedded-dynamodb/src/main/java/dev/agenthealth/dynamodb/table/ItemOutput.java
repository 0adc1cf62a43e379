package dev.agenthealth.dynamodb.table;

import static dev.agenthealth.dynamodb.table.ValueTag.BINARY;
import static dev.agenthealth.dynamodb.table.ValueTag.BINARY_SET;
import static dev.agenthealth.dynamodb.table.ValueTag.FALSE;
import static dev.agenthealth.dynamodb.table.ValueTag.INTEGER;
import static dev.agenthealth.dynamodb.table.ValueTag.LIST;
import static dev.agenthealth.dynamodb.table.ValueTag.MAP;
import static dev.agenthealth.dynamodb.table.ValueTag.NUMBER;
import static dev.agenthealth.dynamodb.table.ValueTag.STRING;
import static dev.agenthealth.dynamodb.table.ValueTag.TRUE;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes stored bytes. */
final class ItemOutput {

    /** The maximum number of characters of a number that is stored as an integer, so that it fits into 64 bits. */
    private static final int MAX_INTEGER = 18;

    private byte[] bytes;
    private int length;

    ItemOutput(int expected) {
        bytes = new byte[expected];
    }

    /** Returns the output of an item of this size and with this number of attributes, which follow. */
    static ItemOutput begun(int size, int count) {
        ItemOutput out = new ItemOutput(size + 16 + 4 * count);
        out.number(size);
        out.number(count);
        return out;
    }

    /** Writes a map by its names, so that equal maps have equal bytes. */
    private void map(Map<String, AttributeValue> map) {
        number(map.size());
        (map.size() > 1 ? new TreeMap<>(map) : map).forEach(this::attribute);
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
        reserve(chars + 10);
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

    void number(long number) {
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

    /** Returns the bytes that were written, with their checksum at the end. */
    byte[] withChecksum() {
        byte[] whole = Arrays.copyOf(bytes, length + Integer.BYTES);
        ByteBuffer.wrap(whole).putInt(length, ItemBytes.checksum(whole, length));
        return whole;
    }
}
