package dev.agenthealth.emulator.apigateway;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes percent-encoded text strictly: invalid UTF-8 is refused, not replaced. */
final class PercentEncoding {

    private PercentEncoding() {}

    /** Decodes a segment of a path. */
    static String decodePath(String text) throws MalformedRequestException {
        return decode(text, false);
    }

    /** Decodes a name or a value of a query; a plus sign is a space. */
    static String decodeQuery(String text) throws MalformedRequestException {
        return decode(text, true);
    }

    private static String decode(String text, boolean plusIsSpace) throws MalformedRequestException {
        if (isPlain(text)) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(hexDigit(text, i + 1) << 4 | hexDigit(text, i + 2));
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                bytes.write(' ');
            } else if (c > ' ' && c < 0x7f) {
                bytes.write(c);
            } else {
                throw new MalformedRequestException("a character that must be percent-encoded");
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedRequestException("not UTF-8", e);
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '%' || c == '+') {
                return false;
            }
        }
        return true;
    }

    private static int hexDigit(String text, int index) throws MalformedRequestException {
        int digit = index < text.length() ? Character.digit(text.charAt(index), 16) : -1;
        if (digit < 0 || text.charAt(index) >= 0x7f) {
            throw new MalformedRequestException("an incomplete percent-encoding");
        }
        return digit;
    }
}
