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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads stored bytes from a position on. */
final class ItemInput {

    /** The short names and values that were decoded last, because most items share them. */
    private static final Decoded<String> NAMES = new Decoded<>(7);

    /** With their type and length; moments in milliseconds are longer. */
    private static final Decoded<AttributeValue> VALUES = new Decoded<>(5);

    final byte[] bytes;
    int at;

    ItemInput(byte[] bytes) {
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
