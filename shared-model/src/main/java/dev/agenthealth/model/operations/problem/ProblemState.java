package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;

/** The state of a problem. */
public enum ProblemState implements WireNamed {
    OPEN,
    /** Somebody takes care of it. */
    ACKNOWLEDGED,
    /** It is over. */
    RESOLVED,
    /** Somebody decided that it is none. */
    DISMISSED;

    /** Returns whether it is over, or none. */
    public boolean isClosed() {
        return this == RESOLVED || this == DISMISSED;
    }
}
