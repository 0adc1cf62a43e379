package dev.agenthealth.functions.ping;

import dev.agenthealth.functions.storage.pings.PingAddress.LastPing;
import java.nio.charset.StandardCharsets;

/**
 * The content of a ping, of any form.
 *
 * @param text the beginning of it, without characters that are not UTF-8
 * @param cut whether more was sent
 */
record PingMessage(String text, boolean cut) {

    static PingMessage of(byte[] body) {
        boolean cut = body.length > LastPing.MAX_MESSAGE_BYTES;
        int end = cut ? LastPing.MAX_MESSAGE_BYTES : body.length;
        // Not in the middle of a character.
        while (cut && end > 0 && (body[end] & 0xC0) == 0x80) {
            end--;
        }
        String text = new String(body, 0, end, StandardCharsets.UTF_8);
        // A replaced byte takes three.
        while (text.getBytes(StandardCharsets.UTF_8).length > LastPing.MAX_MESSAGE_BYTES) {
            cut = true;
            text = text.substring(0, text.length() - text.length() / 10 - 1);
        }
        return new PingMessage(text, cut);
    }
}
