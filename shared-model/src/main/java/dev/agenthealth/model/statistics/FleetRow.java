package dev.agenthealth.model.statistics;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Pulse;

/**
 * The row of one agent.
 *
 * @param pulse its pulse
 * @param summary the summary of its health
 * @param watchSeconds the time between two probes; {@link dev.agenthealth.model.profile.Watch#NOT_WATCHED} where there are none
 */
public record FleetRow(Pulse pulse, HealthSummary summary, int watchSeconds) {}
