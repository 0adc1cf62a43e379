package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.identity.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/** A message in the wire format of Protocol Buffers. It copies only the values that are read. */
final class ProtobufMessage implements OtlpMessage {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private static final int TYPE_BITS = 3;
    private static final int TYPE = 7;
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;
    private static final int MAX_VARINT_BITS = 64;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int type;

    ProtobufMessage(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtobufMessage(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    @Override
    public void fields(OtlpField.Of message, FieldReader reader) throws IOException {
        while (at < end) {
            long tag = varint();
            long number = tag >>> TYPE_BITS;
            type = (int) tag & TYPE;
            if (number == 0 || number > Integer.MAX_VALUE) {
                throw malformed();
            }
            Optional<OtlpField> field = OtlpField.numbered(message, (int) number, type);
            if (field.isPresent()) {
                reader.read(field.get());
            } else {
                skip();
            }
        }
    }

    @Override
    public OtlpMessage message() throws UnreadableSpansException {
        int length = length();
        int from = advance(length);
        return new ProtobufMessage(bytes, from, from + length);
    }

    /** {@inheritDoc} Bytes that are not UTF-8 are replaced. */
    @Override
    public String text() throws UnreadableSpansException {
        int length = length();
        int read = Math.min(length, SpanDraft.MAX_TEXT_BYTES);
        return SpanDraft.cut(new String(bytes, advance(length), read, StandardCharsets.UTF_8));
    }

    @Override
    public String hash() {
        MessageDigest digest = Sha256.digest();
        digest.update(bytes, at, end - at);
        at = end;
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public String id() throws UnreadableSpansException {
        int length = length();
        int from = advance(length);
        return HexFormat.of().formatHex(bytes, from, from + Math.min(length, SpanDraft.MAX_ID_BYTES));
    }

    @Override
    public String numeral() throws UnreadableSpansException {
        return type == VARINT ? Long.toString(varint()) : Double.toString(Double.longBitsToDouble(fixed64()));
    }

    @Override
    public long number() throws UnreadableSpansException {
        return type == VARINT ? varint() : fixed64();
    }

    private void skip() throws UnreadableSpansException {
        switch (type) {
            case VARINT -> varint();
            case FIXED64 -> advance(Long.BYTES);
            case BYTES -> advance(length());
            case FIXED32 -> advance(Integer.BYTES);
            default -> throw malformed();
        }
    }

    private long varint() throws UnreadableSpansException {
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

    private long fixed64() throws UnreadableSpansException {
        int from = advance(Long.BYTES);
        return ByteBuffer.wrap(bytes, from, Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
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
