package dev.agenthealth.functions.storage.events;

import dev.agenthealth.model.health.availability.StatusChange;
import java.time.Instant;
import java.util.List;

/**
 * The changes of an agent's lifecycle status from a moment on.
 *
 * @param knownFrom the changes before this moment are unknown: there were too many since
 * @param truncated whether {@code knownFrom} is later than the moment that was asked for
 * @param changes in the order in which they were made
 */
public record StatusHistory(Instant knownFrom, boolean truncated, List<StatusChange> changes) {

    public StatusHistory {
        changes = List.copyOf(changes);
    }
}
