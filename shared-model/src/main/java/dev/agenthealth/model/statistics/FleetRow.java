package dev.agenthealth.model.statistics;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Pulse;

/**
 * The row of one agent.
 *
 * @param pulse its pulse
 * @param summary the summary of its health
 */
public record FleetRow(Pulse pulse, HealthSummary summary) {}
