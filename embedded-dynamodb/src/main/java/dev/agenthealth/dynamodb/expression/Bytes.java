package dev.agenthealth.dynamodb.expression;

import java.util.Arrays;

/** Searches in binary values. */
final class Bytes {

    private Bytes() {}

    static boolean startsWith(byte[] bytes, byte[] prefix) {
        return prefix.length <= bytes.length && isAt(0, bytes, prefix);
    }

    static boolean contains(byte[] bytes, byte[] part) {
        for (int start = 0; start <= bytes.length - part.length; start++) {
            if (isAt(start, bytes, part)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if {@code part} is at this position. The position must leave room for it. */
    private static boolean isAt(int start, byte[] bytes, byte[] part) {
        return Arrays.equals(bytes, start, start + part.length, part, 0, part.length);
    }
}
