package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** An action of a pass on an agent, as it is counted. */
enum Action implements WireNamed {
    UNHEALTHY,
    /** Marked as dead, for silence or at a drain's deadline. */
    DEAD,
    DEREGISTERED,
    /** A stall was published that began or got worse. */
    STALLED,
    STALL_OVER,
    /** Left alone, because the agent was changed after the pass read it. */
    OVERTAKEN,
    CLEANED_UP,
    /** A lease that a clean-up ended as expired. */
    LEASES_EXPIRED,
    ARCHIVED,
    /** The key was revoked. */
    CREDENTIALS_CLEARED,
    /** The secret ended; the row has the newest one of the key. */
    CREDENTIALS_REPLACED,
    /** Times that lay ahead were corrected. */
    CLOCK_CORRECTED,
    /** Left to a later pass: no deaths or no time left. */
    POSTPONED,
    /** The write failed; a later pass tries again. */
    FAILED,
    /** Marked to have the health computed again. */
    MARKED,
    /** To be marked by a later pass: no time left, or the write failed. */
    UNMARKED,
    /** The states of a day were stored. */
    DAYS_STORED,
    /** Days are to be stored by a later pass: no time left, or the write failed. */
    DAYS_POSTPONED;

    /** The change to a status that a sweep may give. */
    static Action of(LifecycleStatus status) {
        return switch (status) {
            case UNHEALTHY -> UNHEALTHY;
            case DEAD -> DEAD;
            case DEREGISTERED -> DEREGISTERED;
            case REGISTERING, ACTIVE, DRAINING ->
                throw new IllegalArgumentException("a sweep makes no agent " + status.wireName());
        };
    }
}
