package dev.agenthealth.model.outcome;

import dev.agenthealth.model.Word;
import java.util.Optional;

/** How an execution ended. */
public enum OutcomeResult implements Word {
    SUCCESS,
    FAILURE,
    /** Nothing was executed because the trigger failed: it counts as a trigger failure, not as an execution. */
    TRIGGER_FAILURE;

    /** The result with this word; empty where there is none. */
    public static Optional<OutcomeResult> ofWord(String word) {
        return Word.find(OutcomeResult.class, word);
    }
}
