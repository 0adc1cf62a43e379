package dev.agenthealth.model.outcome;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

/** The results of an execution. */
public enum OutcomeResult implements WireNamed {
    SUCCESS,
    FAILURE,
    /** Nothing was executed because the trigger failed: it counts as a trigger failure, not as an execution. */
    TRIGGER_FAILURE;

    /** The result with this wire name; empty where there is none. */
    public static Optional<OutcomeResult> ofWireName(String wireName) {
        return WireNamed.find(OutcomeResult.class, wireName);
    }
}
