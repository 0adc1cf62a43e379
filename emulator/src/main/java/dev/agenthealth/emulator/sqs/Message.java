package dev.agenthealth.emulator.sqs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A message as it was sent.
 *
 * @param id given by the queue; usable as a file name
 * @param body its text
 * @param sentAt when it was received by the queue
 */
public record Message(String id, String body, Instant sentAt) {

    /** The MD5 digest of the text in UTF-8, in hexadecimal digits. */
    public String md5OfBody() {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(body.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
