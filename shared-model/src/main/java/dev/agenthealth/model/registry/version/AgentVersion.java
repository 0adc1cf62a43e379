package dev.agenthealth.model.registry.version;

import java.util.regex.Pattern;

/**
 * The version of an agent's program, such as {@code 2.4.1}. Its deployment chooses it. The counter {@code version} of the agent's record (RFC-0016)
 * is another thing.
 */
public final class AgentVersion {

    /** The maximum number of characters. */
    public static final int MAX_LENGTH = 64;

    /** The name that collects the executions of further versions, if a role or an agent has too many. */
    public static final String OTHER = "other";

    /** The rule for a version, as the end of a sentence. */
    public static final String RULE = "must have at most " + MAX_LENGTH
            + " letters, digits and characters of ._+:/@~-, and begin with a letter or a digit";

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+:/@~-]{0," + (MAX_LENGTH - 1) + "}");

    private AgentVersion() {}

    /** Returns whether a text is a version. */
    public static boolean isValid(String text) {
        return VALID.matcher(text).matches();
    }

    /** Returns the first text that is a version; empty if none is. */
    public static String first(String... texts) {
        for (String text : texts) {
            if (isValid(text)) {
                return text;
            }
        }
        return "";
    }
}
