package dev.agenthealth.functions.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A weak entity tag (RFC 9110 §8.8.3): responses with the same tag say the same, though perhaps not in the same words.
 *
 * @param value as in the {@code ETag} header
 */
public record EntityTag(String value) {

    private static final String WEAK = "W/";
    private static final int BYTES = 12;

    /** The tag of everything that says {@code content}. */
    public static EntityTag of(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return new EntityTag(WEAK + "\""
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES)) + "\"");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** What tells it from other tags: letters, digits, hyphens and underscores. */
    public String fingerprint() {
        String quoted = opaque(value);
        return quoted.substring(1, quoted.length() - 1);
    }

    /**
     * Whether an {@code If-None-Match} header names this tag, by weak comparison: a list of tags, or {@code *} for any. What is no tag names
     * none.
     */
    public boolean isAmong(String ifNoneMatch) {
        if (ifNoneMatch.equals("*")) {
            return true;
        }
        // A comma may stand within a tag, but not within this one.
        return Arrays.stream(ifNoneMatch.split(",")).map(String::trim).anyMatch(tag -> opaque(tag)
                .equals(opaque(value)));
    }

    private static String opaque(String tag) {
        return tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
    }
}
