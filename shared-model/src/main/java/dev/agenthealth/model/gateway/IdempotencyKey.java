package dev.agenthealth.model.gateway;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key that a caller gives to a request, so that duplicates of the request are recognised (draft-ietf-httpapi-idempotency-key-header, §2).
 *
 * @param text the key, 1 to {@value #MAX_LENGTH} visible characters of ASCII
 */
public record IdempotencyKey(String text) {

    /** The maximum length of a key, in characters. */
    public static final int MAX_LENGTH = 255;

    /** The rule for keys, in words for callers. It completes a sentence that begins with the name of the field. */
    public static final String RULE = "must be 1 to " + MAX_LENGTH
            + " visible characters of ASCII between quotation marks, or without them where it has none, no comma, no"
            + " semicolon and no backslash";

    /** The quoted form: a text of RFC 8941 §3.3.3, but without spaces. */
    private static final Pattern QUOTED = Pattern.compile("\"((?:[!#-\\[\\]-~]|\\\\[\"\\\\]){1," + MAX_LENGTH + "})\"");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    /** The unquoted form of many clients. A comma would separate two joined headers, and a semicolon would begin parameters. */
    private static final Pattern BARE = Pattern.compile("[!#-+\\--:<-\\[\\]-~]{1," + MAX_LENGTH + "}");

    /** Returns the key in the value of a header; empty if the value is no key. */
    public static Optional<IdempotencyKey> ofHeader(String value) {
        if (BARE.matcher(value).matches()) {
            return Optional.of(new IdempotencyKey(value));
        }
        Matcher quoted = QUOTED.matcher(value);
        return quoted.matches()
                ? Optional.of(new IdempotencyKey(ESCAPE.matcher(quoted.group(1)).replaceAll("$1")))
                : Optional.empty();
    }
}
