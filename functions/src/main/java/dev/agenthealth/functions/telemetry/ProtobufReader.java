package dev.agenthealth.functions.telemetry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Reads one message in the wire format of Protocol Buffers: field by field, each value read or skipped. Nothing is copied but the values that are
 * read. Not thread-safe.
 */
final class ProtobufReader {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private static final int TYPE_BITS = 3;
    private static final int TYPE = 7;
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;
    private static final int MAX_VARINT_BITS = 64;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int type;

    ProtobufReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtobufReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Returns whether there is another field. */
    boolean hasNext() {
        return at < end;
    }

    /** The number of the next field, whose value follows. */
    int nextField() throws UnreadableSpansException {
        long tag = varint();
        long field = tag >>> TYPE_BITS;
        type = (int) tag & TYPE;
        if (field == 0 || field > Integer.MAX_VALUE) {
            throw malformed();
        }
        return (int) field;
    }

    /** Returns whether the value has this type. One of another type is not the field that this version of the protocol knows, and is skipped. */
    boolean is(int wireType) {
        return type == wireType;
    }

    long varint() throws UnreadableSpansException {
        long value = 0;
        for (int shift = 0; shift < MAX_VARINT_BITS; shift += GROUP_BITS) {
            if (at == end) {
                throw malformed();
            }
            byte next = bytes[at++];
            value |= (long) (next & GROUP) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw malformed();
    }

    long fixed64() throws UnreadableSpansException {
        int from = advance(Long.BYTES);
        return ByteBuffer.wrap(bytes, from, Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    /** The message in the value. */
    ProtobufReader message() throws UnreadableSpansException {
        int length = length();
        int from = advance(length);
        return new ProtobufReader(bytes, from, from + length);
    }

    /** The first bytes of the value as text, at most this many; what is not UTF-8 is replaced. */
    String text(int maxBytes) throws UnreadableSpansException {
        int length = length();
        return new String(bytes, advance(length), Math.min(length, maxBytes), StandardCharsets.UTF_8);
    }

    /** The value in hexadecimal digits; of one that is longer than any id only the beginning. */
    String hex(int maxBytes) throws UnreadableSpansException {
        int length = length();
        int from = advance(length);
        return HexFormat.of().formatHex(bytes, from, from + Math.min(length, maxBytes));
    }

    void skip() throws UnreadableSpansException {
        switch (type) {
            case VARINT -> varint();
            case FIXED64 -> advance(Long.BYTES);
            case BYTES -> advance(length());
            case FIXED32 -> advance(Integer.BYTES);
            default -> throw malformed();
        }
    }

    private int length() throws UnreadableSpansException {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw malformed();
        }
        return (int) length;
    }

    private int advance(int length) throws UnreadableSpansException {
        if (length > end - at) {
            throw malformed();
        }
        int from = at;
        at += length;
        return from;
    }

    private static UnreadableSpansException malformed() {
        return new UnreadableSpansException("The request body is not a valid protobuf message.");
    }
}
