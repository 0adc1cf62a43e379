package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.WireNamed;

/** The results of an execution. */
public enum OutcomeResult implements WireNamed {
    SUCCESS,
    FAILURE,
    /** The trigger failed and nothing was executed. This counts as a trigger failure and not as an execution. */
    TRIGGER_FAILURE;
}
