package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps the stored statistics of the fleet up to date, without a write where nothing changed.
 *
 * <p>What this process wrote last still stands in storage as long as no other sweep began a pass since this one's last: that is read off the
 * sweep's state, which every pass reads and writes at its start. Where another did, the statistics are written again. Thread-safe.
 */
final class StatisticsWriter {

    /** So many groups of a kind have room in the item; the others are kept together. */
    static final int MAX_GROUPS = 200;

    private final StatisticsStore store;

    private Instant lastStart = Instant.MIN;
    private Optional<FleetStatistics> written = Optional.empty();
    private Instant confirmedAt = Instant.MIN;

    StatisticsWriter(StatisticsStore store) {
        this.store = store;
    }

    /**
     * The moment at which this process last found the stored statistics right; {@link Instant#MIN} where that is unknown or longer ago.
     */
    synchronized Instant confirmedAt(Instant now, Duration maxPause) {
        return confirmedAt.isBefore(now.minus(maxPause)) ? Instant.MIN : confirmedAt;
    }

    /**
     * Notes that a pass begins.
     *
     * @param previousStart the start of the pass before, of whichever process
     */
    synchronized void begin(Instant previousStart, Instant now) {
        if (!previousStart.equals(lastStart)) {
            written = Optional.empty();
        }
        startedAt(now);
    }

    /** Notes that the state names this moment as that of the pass's start. */
    synchronized void startedAt(Instant moment) {
        lastStart = Instant.ofEpochMilli(moment.toEpochMilli());
    }

    /** Stores what was counted, unless it is stored already. */
    synchronized void keep(FleetStatistics statistics, Instant now) {
        FleetStatistics bounded = statistics.largest(MAX_GROUPS);
        if (!written.equals(Optional.of(bounded))) {
            written = Optional.empty();
            if (!store.put(bounded, now)) {
                return;
            }
            written = Optional.of(bounded);
        }
        confirmedAt = now;
    }
}
