package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import java.time.Instant;
import java.util.Optional;

/**
 * A time in which an agent was unhealthy or dead, without a recovery in between, or a group not wholly up.
 *
 * @param from when it began, or the beginning of the window where it began earlier
 * @param to when it ended; empty where it lasts
 * @param seconds its length up to its end, or that of the window, without the time that is unknown
 * @param state the worst state of it
 * @param reason why it began; empty where that is unknown
 */
public record Incident(
        Instant from, Optional<Instant> to, long seconds, AvailabilityState state, Optional<LifecycleReason> reason) {}
