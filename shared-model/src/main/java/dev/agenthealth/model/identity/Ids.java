package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * The form of every identifier a caller may choose: agents, roles, providers, intents, scopes, workflows.
 *
 * <p>An id starts with a letter or digit and has at most 64 characters out of letters, digits, {@code . _ : -}, so that
 * it fits into a path, a key and a log line without escaping.
 */
public final class Ids {

    /** The longest id, in characters. */
    public static final int MAX_LENGTH = 64;

    /** The rule of {@link #isValid}, for messages. */
    public static final String RULE =
            "must be 1 to 64 characters, start with a letter or digit, and contain only letters, digits, '.', '_', ':' and '-'";

    /** Ids that would be mistaken for a route. */
    private static final Set<String> RESERVED = Set.of("register");

    private Ids() {}

    /** Returns whether {@code id} has the form of an id; says nothing about whether it is reserved or in use. */
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

    /** Returns whether no agent may have this id because a route uses it. */
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
