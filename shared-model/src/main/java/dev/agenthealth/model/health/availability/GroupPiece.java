package dev.agenthealth.model.health.availability;

import java.time.Instant;

/**
 * The counts of a group over a minute or an hour.
 *
 * @param from the first moment
 * @param to the first moment after the end
 * @param sum the counted minutes; fewer than the length if the registry was off
 */
public record GroupPiece(Instant from, Instant to, GroupSum sum) {}
