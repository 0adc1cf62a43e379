package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The beginning, worsening or end of a loop. It is written in one transaction with its event, or not at all.
 *
 * @param before the pulse as it was read; the write succeeds only if the stored pulse is still the same
 * @param after the pulse with the published loop, and with the event counted
 * @param at the moment of the decision, and the timestamp of the event
 */
public record LoopChange(Pulse before, Pulse after, Instant at) {

    /** Returns whether the agent is asked to restart. */
    public boolean asksToRestart() {
        return !before.coordination().equals(after.coordination());
    }

    /** Returns whether the loop is over. */
    public boolean isOver() {
        return !after.loop().isOpen();
    }
}
