package dev.agenthealth.model.census;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Pulse;

/**
 * What one agent's row says.
 *
 * @param pulse its life signs
 * @param standing what stands of its health beside them
 */
public record FleetRow(Pulse pulse, HealthSummary standing) {}
