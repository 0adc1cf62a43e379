package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.WireNamed;

/** The results of an execution. */
public enum OutcomeResult implements WireNamed {
    SUCCESS,
    FAILURE,
    /** Nothing was executed because the trigger failed: it counts as a trigger failure, not as an execution. */
    TRIGGER_FAILURE;
}
