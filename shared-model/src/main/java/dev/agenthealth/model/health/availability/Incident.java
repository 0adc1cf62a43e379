package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import java.time.Instant;
import java.util.Optional;

/**
 * A period in which an agent was degraded or down without recovering, or in which a group was not wholly up.
 *
 * @param from the beginning of the incident, but not before the beginning of the window
 * @param to the end of the incident; empty if the incident lasts
 * @param seconds the length up to the end of the incident or of the window, without unknown time
 * @param state the worst state of the incident
 * @param reason the reason for the beginning; empty if unknown
 */
public record Incident(
        Instant from,
        Optional<Instant> to,
        long seconds,
        AvailabilityState state,
        Optional<? extends WireNamed> reason) {}
