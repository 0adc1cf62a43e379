package dev.agenthealth.functions.storage.history;

import dev.agenthealth.functions.storage.dynamo.AttributeType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores figures of groups as bytes. Each group has its number in six bytes, then its figures. A figure has seven bits per byte, the lowest
 * bits first.
 */
final class GroupBytes {

    private static final int NUMBER_BYTES = 6;
    private static final int MORE = 0x80;

    private GroupBytes() {}

    /** Returns the type of maps from the number of a group to its figures, which are not negative. */
    static AttributeType<Map<Long, long[]>> type(int figures) {
        return AttributeType.BYTES.as(Map.of(), GroupBytes::bytes, bytes -> groups(bytes, figures));
    }

    private static byte[] bytes(Map<Long, long[]> groups) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new TreeMap<>(groups).forEach((number, figures) -> {
            for (int shift = (NUMBER_BYTES - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes.write((int) (number >> shift));
            }
            for (long figure : figures) {
                long rest = figure;
                while (rest >= MORE) {
                    bytes.write((int) rest | MORE);
                    rest >>= 7;
                }
                bytes.write((int) rest);
            }
        });
        return bytes.toByteArray();
    }

    private static Map<Long, long[]> groups(byte[] stored, int figures) {
        Map<Long, long[]> groups = new HashMap<>();
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        while (bytes.hasRemaining()) {
            long number = 0;
            for (int i = 0; i < NUMBER_BYTES; i++) {
                number = number << Byte.SIZE | bytes.get() & 0xff;
            }
            long[] read = new long[figures];
            for (int i = 0; i < figures; i++) {
                read[i] = figure(bytes);
            }
            groups.put(number, read);
        }
        return groups;
    }

    private static long figure(ByteBuffer bytes) {
        long figure = 0;
        for (int shift = 0; ; shift += 7) {
            int next = bytes.get();
            figure |= (long) (next & MORE - 1) << shift;
            if ((next & MORE) == 0) {
                return figure;
            }
        }
    }
}
