package dev.agenthealth.model.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** SHA-256 of texts in UTF-8: 32 bytes. */
public final class Sha256 {

    /** Only copied. A search among the providers of the runtime takes longer than the hash of a key. */
    private static final MessageDigest UNUSED = created();

    private Sha256() {}

    /** Returns the hash of a text. */
    public static byte[] of(String text) {
        return digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the hash of several texts without control characters, each followed by a zero byte. */
    public static byte[] of(List<String> texts) {
        MessageDigest digest = digest();
        for (String text : texts) {
            digest.update(text.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        return digest.digest();
    }

    /** Returns a digest for content that arrives in parts. */
    public static MessageDigest digest() {
        try {
            return (MessageDigest) UNUSED.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every Java runtime copies SHA-256", e);
        }
    }

    private static MessageDigest created() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
