package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The results of the last run of an agent, as its ping address knows it. */
public enum RunResult implements WireNamed {
    FAILED,
    SUCCEEDED,
    /** The address was revoked, or ended with another owner of the agent: no ping will say that a run succeeded. */
    ADDRESS_REVOKED;

    /** Returns whether the agent is down by this. */
    public boolean isFailure() {
        return this == FAILED;
    }
}
