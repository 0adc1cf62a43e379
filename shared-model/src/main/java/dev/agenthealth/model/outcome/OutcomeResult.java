package dev.agenthealth.model.outcome;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How an execution ended. */
public enum OutcomeResult {
    SUCCESS,
    FAILURE,
    /** Nothing was executed because the trigger failed: it counts as a trigger failure, not as an execution. */
    TRIGGER_FAILURE;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word in requests. */
    public String word() {
        return word;
    }

    /** The result with this word; empty where there is none. */
    public static Optional<OutcomeResult> ofWord(String word) {
        return Arrays.stream(values()).filter(r -> r.word.equals(word)).findFirst();
    }
}
