package dev.agenthealth.functions.storage.events;

import dev.agenthealth.model.health.availability.StatusChange;
import dev.agenthealth.model.health.availability.VerdictChange;
import java.time.Instant;
import java.util.List;

/**
 * The changes of an agent's lifecycle status, and of the reasons for its verdict, from a moment on.
 *
 * @param knownFrom the changes before this moment are unknown, because too many changes followed
 * @param truncated whether {@code knownFrom} is later than the requested moment
 * @param changes the changes of the lifecycle status in the order in which they happened
 * @param reasons the changes of the reasons in the order in which they happened
 */
public record StatusHistory(
        Instant knownFrom, boolean truncated, List<StatusChange> changes, List<VerdictChange> reasons) {

    public StatusHistory {
        changes = List.copyOf(changes);
        reasons = List.copyOf(reasons);
    }
}
