package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of an agent's health.
 *
 * @param health the health as last computed; empty where it was not computed yet
 * @param dueSince since when that health is to be computed again, which may be yet to come; {@link Instant#MAX} where it holds until something
 *     happens
 * @param pulse the agent's pulse; empty where it is buried, or unknown
 */
public record StoredHealth(Optional<AgentHealth> health, Instant dueSince, Optional<Pulse> pulse) {}
