package dev.agenthealth.functions.http;

import dev.agenthealth.model.identity.Sha256;
import java.util.Arrays;
import java.util.Base64;

/**
 * A weak entity tag (RFC 9110 §8.8.3): responses with the same tag are equivalent, but need not be equal.
 *
 * @param value as in the {@code ETag} header
 */
public record EntityTag(String value) {

    private static final String WEAK = "W/";
    private static final int BYTES = 12;

    /** The tag of this content. */
    public static EntityTag of(String content) {
        byte[] hash = Arrays.copyOf(Sha256.of(content), BYTES);
        return new EntityTag(
                WEAK + "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"");
    }

    /** The tag without quotes and prefix: letters, digits, hyphens and underscores. */
    public String fingerprint() {
        String quoted = opaque(value);
        return quoted.substring(1, quoted.length() - 1);
    }

    /**
     * Whether an {@code If-None-Match} header names this tag, by weak comparison: a list of tags, or {@code *} for any. Text that is
     * no tag is ignored.
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
