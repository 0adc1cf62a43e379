package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.time.Instant;

/**
 * The beginning, worsening or end of a stall. It is written in one transaction with its event, or not at all.
 *
 * @param before the pulse as it was read; the write succeeds only if the stored pulse is still the same
 * @param after the pulse with the published stall, and with the event counted
 * @param reason the reason for the change
 * @param at the moment of the decision, and the timestamp of the event
 */
public record StallChange(Pulse before, Pulse after, Reason reason, Instant at) {

    /** The reason for the beginning or end of a stall. */
    public enum Reason implements WireNamed {
        /** There was no progress for longer than declared. */
        NO_PROGRESS,
        /** The task makes progress, another task is now longest without progress, or the agent declared more time. */
        PROGRESS,
        /** No task runs any more. */
        TASK_ENDED,
        /** The agent is dead or deregistered. */
        ENDED
    }

    /** Returns whether the agent is asked to restart. */
    public boolean asksToRestart() {
        return !before.coordination().equals(after.coordination());
    }

    /** Returns whether the stall is over. */
    public boolean isOver() {
        return !after.stall().isOpen();
    }
}
