package dev.agenthealth.emulator.sqs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A message as it was sent.
 *
 * @param id given by the queue; fit to be a file's name
 * @param body its text
 * @param sentAt when it was taken
 */
public record Message(String id, String body, Instant sentAt) {

    /** The digest of the text in UTF-8, by which senders and receivers check that it arrived as it was. */
    public String md5OfBody() {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(body.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
