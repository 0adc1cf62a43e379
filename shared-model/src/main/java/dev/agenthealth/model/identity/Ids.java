package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * The form of every identifier that callers choose: agents, roles, providers, intents, scopes, workflows.
 *
 * <p>An id starts with a letter or digit and has at most 64 characters from letters, digits and {@code . _ : -}. So it fits into a path, a key and
 * a log line without escaping.
 */
public final class Ids {

    /** The maximum length of an id, in characters. */
    public static final int MAX_LENGTH = 64;

    /** The rule of {@link #isValid}, for messages. */
    public static final String RULE =
            "must be 1 to 64 characters, start with a letter or digit, and contain only letters, digits, '.', '_', ':' and '-'";

    /** Ids that are also the name of a route. */
    private static final Set<String> RESERVED = Set.of("register");

    private Ids() {}

    /** Returns whether a text has the form of an id. The id may be reserved or in use. */
    public static boolean isValid(String id) {
        int length = id.length();
        if (length == 0 || length > MAX_LENGTH || !isLetterOrDigit(id.charAt(0))) {
            return false;
        }
        for (int i = 1; i < length; i++) {
            if (!isAllowed(id.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether an id is reserved because a route uses it. */
    public static boolean isReserved(String id) {
        return RESERVED.contains(id);
    }

    private static boolean isAllowed(char c) {
        return isLetterOrDigit(c) || c == '.' || c == '_' || c == ':' || c == '-';
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
