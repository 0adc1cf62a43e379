package dev.agenthealth.emulator.sqs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A message as it was sent.
 *
 * @param id assigned by the queue
 * @param body its text
 * @param sentAt when the queue received it, in whole milliseconds
 */
public record Message(String id, String body, Instant sentAt) {

    /** Returns the MD5 digest of the text in UTF-8, in hexadecimal digits. */
    public String md5OfBody() {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(body.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
