package dev.agenthealth.model;

import java.nio.charset.StandardCharsets;

/**
 * Text from outside of the system, such as the body of a request, the answer of an agent or a file.
 *
 * <p>Some editors and platforms write a byte order mark (U+FEFF) before the text. It is not part of the text, and RFC 8259 §8.1 allows readers of
 * JSON to ignore it. Only one mark is removed, as a second one is a character of the text.
 */
public final class ReceivedText {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private ReceivedText() {}

    /** Returns the text without the byte order mark at its beginning. */
    public static String of(String decoded) {
        return !decoded.isEmpty() && decoded.charAt(0) == BYTE_ORDER_MARK ? decoded.substring(1) : decoded;
    }

    /** Returns the text of bytes in UTF-8, without the byte order mark at its beginning. Invalid bytes become U+FFFD. */
    public static String of(byte[] utf8) {
        return of(new String(utf8, StandardCharsets.UTF_8));
    }
}
