package dev.agenthealth.functions.storage.events;

import dev.agenthealth.model.health.availability.StatusChange;
import java.time.Instant;
import java.util.List;

/**
 * The changes of an agent's lifecycle status from a moment on.
 *
 * @param knownFrom the changes before this moment are unknown, because too many changes followed
 * @param truncated whether {@code knownFrom} is later than the requested moment
 * @param changes the changes in the order in which they happened
 */
public record StatusHistory(Instant knownFrom, boolean truncated, List<StatusChange> changes) {

    public StatusHistory {
        changes = List.copyOf(changes);
    }
}
