package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.functions.registry.ping.PingAddress.LastPing;
import dev.agenthealth.functions.runtime.http.BodyStart;
import dev.agenthealth.model.ReceivedText;
import java.nio.charset.StandardCharsets;

/**
 * The content of a ping, in any format.
 *
 * @param text the beginning of the content, without characters that are not UTF-8
 * @param cut whether the content was longer
 */
record PingMessage(String text, boolean cut) {

    /**
     * Returns the message of a ping.
     *
     * @param start the beginning of the body, which is longer than the stored message
     */
    static PingMessage of(BodyStart start) {
        byte[] body = start.bytes();
        boolean isLonger = body.length > LastPing.MAX_MESSAGE_BYTES;
        boolean cut = isLonger || !start.isWhole();
        int end = isLonger ? LastPing.MAX_MESSAGE_BYTES : body.length;
        // Do not cut in the middle of a character.
        while (isLonger && end > 0 && (body[end] & 0xC0) == 0x80) {
            end--;
        }
        String text = ReceivedText.of(new String(body, 0, end, StandardCharsets.UTF_8));
        // A replacement character takes three bytes.
        while (text.getBytes(StandardCharsets.UTF_8).length > LastPing.MAX_MESSAGE_BYTES) {
            cut = true;
            text = text.substring(0, text.length() - text.length() / 10 - 1);
        }
        return new PingMessage(text, cut);
    }
}
