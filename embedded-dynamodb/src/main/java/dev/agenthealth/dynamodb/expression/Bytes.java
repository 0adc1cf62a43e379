package dev.agenthealth.dynamodb.expression;

import java.util.Arrays;

/** Searches in binary values. */
final class Bytes {

    private Bytes() {}

    static boolean startsWith(byte[] bytes, byte[] prefix) {
        return isAt(0, bytes, prefix);
    }

    static boolean contains(byte[] bytes, byte[] part) {
        for (int start = 0; start <= bytes.length - part.length; start++) {
            if (isAt(start, bytes, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(int start, byte[] bytes, byte[] part) {
        int end = start + part.length;
        return end <= bytes.length && Arrays.equals(bytes, start, end, part, 0, part.length);
    }
}
