package dev.agenthealth.model.health.availability;

import java.time.Instant;

/**
 * The counts of a group over a minute or an hour.
 *
 * @param from the first moment
 * @param to the first moment after the end
 * @param sum the counted minutes; fewer than the length if the registry was off
 * @param heartbeats the same by heartbeats alone
 * @param byVerdict whether the sum is by the verdicts; an earlier version counted by heartbeats alone
 */
public record GroupPiece(Instant from, Instant to, GroupSum sum, GroupSum heartbeats, boolean byVerdict) {}
