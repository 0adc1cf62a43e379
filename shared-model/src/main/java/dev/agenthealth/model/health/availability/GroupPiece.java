package dev.agenthealth.model.health.availability;

import java.time.Instant;

/**
 * The counts of a group over a minute or an hour.
 *
 * @param from its first moment
 * @param to the first moment after it
 * @param sum the counted minutes; fewer than its length where the registry was off
 */
public record GroupPiece(Instant from, Instant to, GroupSum sum) {}
