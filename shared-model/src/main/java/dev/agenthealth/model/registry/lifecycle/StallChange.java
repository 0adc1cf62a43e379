package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.time.Instant;

/**
 * The beginning, worsening or end of a stall: written as one transaction together with its event, or not at all.
 *
 * @param before the pulse as it was read; the write happens only if it is still like that
 * @param after the pulse with the published stall, and the event counted
 * @param reason why
 * @param at the moment of the decision, which is the event's timestamp
 */
public record StallChange(Pulse before, Pulse after, Reason reason, Instant at) {

    /** Why a stall begins or ends. */
    public enum Reason implements WireNamed {
        /** No progress for longer than declared. */
        NO_PROGRESS,
        /** The task goes on, another one is longest without progress, or more time was declared. */
        PROGRESS,
        /** No task runs. */
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
