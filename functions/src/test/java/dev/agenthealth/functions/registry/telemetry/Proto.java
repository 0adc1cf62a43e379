package dev.agenthealth.functions.registry.telemetry;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;

/** Messages in the wire format of Protocol Buffers, for tests. */
final class Proto {

    private Proto() {}

    static byte[] message(byte[]... fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] field : fields) {
            out.writeBytes(field);
        }
        return out.toByteArray();
    }

    static byte[] bytes(int field, byte[]... value) {
        byte[] whole = message(value);
        return message(varint((long) field << 3 | 2), varint(whole.length), whole);
    }

    static byte[] text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] number(int field, long value) {
        return message(varint((long) field << 3), varint(value));
    }

    static byte[] fixed64(int field, long value) {
        return message(
                varint((long) field << 3 | 1),
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }

    static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long left = value;
        do {
            long next = left >>> 7;
            out.write((int) (left & 0x7f) | (next == 0 ? 0 : 0x80));
            left = next;
        } while (left != 0);
        return out.toByteArray();
    }

    static byte[] attribute(String key, String value) {
        return message(text(1, key), bytes(2, text(1, value)));
    }

    /** The span of {@link TestSpans#span(int, Instant, String)}, with further fields. */
    static byte[] span(int number, Instant end, String agent, byte[]... more) {
        return message(
                bytes(1, HexFormat.of().parseHex(TestSpans.trace(1))),
                bytes(2, HexFormat.of().parseHex(TestSpans.id(number))),
                text(5, "a span"),
                fixed64(7, Long.parseLong(TestSpans.nanos(end.minusMillis(250)))),
                fixed64(8, Long.parseLong(TestSpans.nanos(end))),
                bytes(9, attribute("gen_ai.operation.name", "invoke_agent")),
                bytes(9, attribute("gen_ai.agent.name", agent)),
                message(more));
    }

    /** A request with these spans of one service; the resource comes last. */
    static byte[] request(String service, byte[]... spans) {
        byte[][] fields = new byte[spans.length][];
        for (int i = 0; i < spans.length; i++) {
            fields[i] = bytes(2, spans[i]);
        }
        return bytes(1, bytes(2, fields), bytes(1, bytes(1, attribute("service.name", service))));
    }
}
