package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** An action of a pass on one agent. The report counts the actions. */
enum Action implements WireNamed {
    UNHEALTHY,
    /** The sweep marked the agent as dead: its heartbeat timeout or the deadline of its drain passed. */
    DEAD,
    DEREGISTERED,
    /** The sweep published a stall that began or got worse. */
    STALLED,
    STALL_OVER,
    /** The sweep published that the agent waits for a person. */
    WAITING,
    WAITING_OVER,
    /** The sweep published a loop that began or got worse. */
    LOOPING,
    LOOPING_OVER,
    /** The sweep published a failed run that outlives the problem of a model provider. */
    RUN_FAILED,
    /** The sweep did not act, because the agent changed after the pass read its row. */
    OVERTAKEN,
    CLEANED_UP,
    /** The row of the agent got the command of a stop, or lost it. */
    STOP_FOLLOWED,
    /** The sweep withdrew the command of a limit that is no longer used up. */
    COMMAND_WITHDRAWN,
    /** A clean-up marked a lease as expired. */
    LEASES_EXPIRED,
    ARCHIVED,
    /** The sweep cleared the credential on the row of the agent, because its key was revoked. */
    CREDENTIALS_CLEARED,
    /** The sweep replaced an ended secret on the row of the agent by the newest secret of the key. */
    CREDENTIALS_REPLACED,
    /** The sweep corrected times of the row that lay in the future. */
    CLOCK_CORRECTED,
    /** A later pass acts: this pass may not mark more agents as dead, or has no time left. */
    POSTPONED,
    /** The write failed. A later pass retries. */
    FAILED,
    /** The sweep marked the agent, so that the measurement computes its health. */
    MARKED,
    /** A later pass marks the agent for the measurement: this pass has no time left, or the write failed. */
    UNMARKED,
    /** The sweep stored the states of one day of the agent. */
    DAYS_STORED,
    /** A later pass stores the days of the agent: this pass has no time left, or the write failed. */
    DAYS_POSTPONED;

    /** Returns the action that a change to this status is. */
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
