package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.profile.Watch;

/**
 * The row of one agent.
 *
 * @param pulse its pulse
 * @param summary the summary of its health
 * @param watchSeconds the time between two probes; {@link Watch#NOT_WATCHED} where there are none
 */
public record FleetRow(Pulse pulse, HealthSummary summary, int watchSeconds) {

    /** Returns whether the silence of the agent is shown by probes: it is watched, and was not last seen by a heartbeat of its own. */
    public boolean isJudgedByProbes() {
        return watchSeconds != Watch.NOT_WATCHED
                && !pulse.config().lifeSigns().confirmsDeath()
                && (pulse.heartbeatCount() == 0 || pulse.seenBy() != SeenBy.HEARTBEAT);
    }
}
