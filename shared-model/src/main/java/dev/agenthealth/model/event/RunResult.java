package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The result of an agent's last run, as reported to its ping address. */
public enum RunResult implements WireNamed {
    FAILED,
    SUCCEEDED,
    /** The ping address was revoked, or ended with the agent's previous owner. No ping can report a success any more. */
    ADDRESS_REVOKED;

    /** Returns whether this result means that the agent is down. */
    public boolean isFailure() {
        return this == FAILED;
    }
}
