package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.Optional;

/**
 * What is stored of an agent's health.
 *
 * @param health the health as last computed; empty where it never was
 * @param dueSince since when that health is due to be computed again, possibly in the future; {@link Instant#MAX} where it is valid until something
 *     happens
 * @param pulse the agent's pulse; empty for an archived or unknown agent
 */
public record StoredHealth(Optional<AgentHealth> health, Instant dueSince, Optional<Pulse> pulse) {}
