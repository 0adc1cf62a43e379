package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.time.Instant;

/**
 * The beginning or end of a published wait for a person. It is written in one transaction with its event, or not at all.
 *
 * @param before the pulse as it was read; the write succeeds only if the stored pulse is still the same
 * @param after the pulse with the published wait, and with the event counted
 * @param reason the reason for the change
 * @param at the moment of the decision, and the timestamp of the event
 */
public record WaitingChange(Pulse before, Pulse after, Reason reason, Instant at) {

    /** The reason for the beginning or end of a published wait. */
    public enum Reason implements WireNamed {
        /** A task needs an answer of a person. */
        NEEDS_PERSON,
        /** The task of the published wait no longer waits for a person. A later wait begins on its own. */
        CONTINUED,
        /** The agent is dead or deregistered. */
        ENDED
    }

    /** Returns whether the wait is over. */
    public boolean isOver() {
        return reason != Reason.NEEDS_PERSON;
    }

    /** Returns the beginning of the wait. */
    public Instant since() {
        return (isOver() ? before : after).publishedWait();
    }
}
