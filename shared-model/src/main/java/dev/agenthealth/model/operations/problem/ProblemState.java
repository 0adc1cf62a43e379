package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;

/** The state of a problem. */
public enum ProblemState implements WireNamed {
    OPEN,
    /** A person takes care of the problem. */
    ACKNOWLEDGED,
    /** The problem is over. */
    RESOLVED,
    /** A person decided that it is no problem. */
    DISMISSED;

    /** Returns whether the problem is resolved or dismissed. */
    public boolean isClosed() {
        return this == RESOLVED || this == DISMISSED;
    }
}
