package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.profile.Watch;

/**
 * The row of one agent, as the sweep reads it.
 *
 * @param pulse the agent's pulse
 * @param summary the summary of the agent's health
 * @param watchSeconds the seconds between two probes; {@link Watch#NOT_WATCHED} without probes
 */
public record FleetRow(Pulse pulse, HealthSummary summary, int watchSeconds) {

    /** Returns whether probes judge the agent: it is watched, and its last sign of life was no heartbeat. */
    public boolean isJudgedByProbes() {
        return watchSeconds != Watch.NOT_WATCHED
                && !pulse.config().lifeSigns().confirmsDeath()
                && (pulse.heartbeatCount() == 0 || pulse.seenBy() != SeenBy.HEARTBEAT);
    }
}
