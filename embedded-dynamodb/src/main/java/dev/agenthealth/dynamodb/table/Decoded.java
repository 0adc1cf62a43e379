package dev.agenthealth.dynamodb.table;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded cache of immutable objects that were decoded from a few bytes. A later object takes the place of an earlier object with the same
 * hash. Thread-safe: threads may see an old object, which is equal to a new object of the same code.
 */
final class Decoded<T> {

    /** The code of bytes that are too many for the cache. */
    private static final long NONE = 0;

    private static final int PLACES = 1_024;
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    private final int maxBytes;

    private final AtomicReferenceArray<Entry<T>> entries = new AtomicReferenceArray<>(PLACES);

    private record Entry<T>(long code, T object) {}

    /** @param maxBytes the maximum number of bytes of an object that the cache keeps, at most 7 */
    Decoded(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the code of some bytes, which no other bytes have. */
    long code(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length > maxBytes) {
            return NONE;
        }
        long code = length + 1L;
        for (int i = from; i < to; i++) {
            code = code << Byte.SIZE | bytes[i] & 0xff;
        }
        return code;
    }

    /** Returns the object of a code, or null. */
    T find(long code) {
        if (code == NONE) {
            return null;
        }
        Entry<T> entry = entries.getPlain(place(code));
        return entry != null && entry.code() == code ? entry.object() : null;
    }

    /** Keeps an object and returns it. */
    T keep(long code, T object) {
        if (code != NONE) {
            entries.setPlain(place(code), new Entry<>(code, object));
        }
        return object;
    }

    private static int place(long code) {
        return (int) (code * SPREAD >>> (Long.SIZE - Integer.numberOfTrailingZeros(PLACES)));
    }
}
