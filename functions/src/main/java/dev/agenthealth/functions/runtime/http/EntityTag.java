package dev.agenthealth.functions.runtime.http;

import dev.agenthealth.model.identity.Sha256;
import java.util.Arrays;
import java.util.Base64;

/**
 * An entity tag (RFC 9110 §8.8.3). Tags of versions are strong, tags of content are weak: responses with the same weak tag are equivalent,
 * but need not be equal.
 *
 * @param value the text of the {@code ETag} header
 */
public record EntityTag(String value) {

    private static final String WEAK = "W/";
    private static final int BYTES = 12;

    /** Returns the tag of a version of an agent or a workflow. */
    public static EntityTag ofVersion(long version) {
        return new EntityTag("\"" + version + "\"");
    }

    /** Returns the tag of this content. */
    public static EntityTag of(String content) {
        byte[] hash = Arrays.copyOf(Sha256.of(content), BYTES);
        return new EntityTag(
                WEAK + "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"");
    }

    /** Returns the tag without quotes and prefix: letters, digits, hyphens and underscores. */
    public String fingerprint() {
        String quoted = opaque(value);
        return quoted.substring(1, quoted.length() - 1);
    }

    /**
     * Returns whether an {@code If-Match} or {@code If-None-Match} header names this tag. The header is a list of tags, or {@code *} for
     * any tag. Weak tags match too, because proxies weaken the tags of compressed responses. Tags without quotes also match. Other text is
     * ignored.
     */
    public boolean isAmong(String tags) {
        if (tags.equals("*")) {
            return true;
        }
        // Other tags may contain a comma, but this tag does not.
        return Arrays.stream(tags.split(","))
                .map(String::trim)
                .anyMatch(tag -> opaque(tag).equals(opaque(value)) || tag.equals(fingerprint()));
    }

    private static String opaque(String tag) {
        return tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
    }
}
