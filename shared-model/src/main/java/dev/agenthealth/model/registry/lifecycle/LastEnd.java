package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The last end of a registration of an agent. For an agent that is gone, it is the end of its current registration. For a live agent, it is the end
 * of the previous registration.
 *
 * @param by the party that ended it
 * @param reason the reason of the change of status
 * @param at the moment of the end; {@link Instant#EPOCH} if no end is known
 */
public record LastEnd(EndedBy by, LifecycleReason reason, Instant at) {

    /** The value if no registration of the agent has ended, or an earlier version of the registry stored the end. */
    public static final LastEnd NONE = new LastEnd(EndedBy.OWNER, LifecycleReason.DEREGISTERED, Instant.EPOCH);

    /** Returns whether an end is known. */
    public boolean isKnown() {
        return at.isAfter(Instant.EPOCH);
    }

    /** Returns whether an operator ended the registration. */
    public boolean isByOperator() {
        return isKnown() && by == EndedBy.OPERATOR;
    }
}
