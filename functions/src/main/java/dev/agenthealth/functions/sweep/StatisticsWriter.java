package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps the stored statistics of the fleet up to date. Writes only if they changed. Thread-safe.
 *
 * <p>If no other sweep began a pass since the last pass of this process, this process wrote the stored statistics. The state of the sweep
 * shows this, as every pass reads and writes it at its start. If another sweep began a pass, this process writes the statistics again.
 */
final class StatisticsWriter {

    /** The maximum number of groups of a kind in the item. The item sums up the other groups. */
    static final int MAX_GROUPS = 200;

    private final StatisticsStore store;

    private Instant lastStart = Instant.MIN;
    private Optional<FleetStatistics> written = Optional.empty();
    private Instant confirmedAt = Instant.MIN;

    StatisticsWriter(StatisticsStore store) {
        this.store = store;
    }

    /**
     * Returns when this process last found the stored statistics right; {@link Instant#MIN} if that is unknown or longer ago than {@code
     * maxPause}.
     */
    synchronized Instant confirmedAt(Instant now, Duration maxPause) {
        return confirmedAt.isBefore(now.minus(maxPause)) ? Instant.MIN : confirmedAt;
    }

    /**
     * Notes that a pass begins.
     *
     * @param previousStart the start of the previous pass of any process
     */
    synchronized void begin(Instant previousStart, Instant now) {
        if (!previousStart.equals(lastStart)) {
            written = Optional.empty();
        }
        startedAt(now);
    }

    /** Notes the start that this pass has in the state. */
    synchronized void startedAt(Instant moment) {
        lastStart = Instant.ofEpochMilli(moment.toEpochMilli());
    }

    /** Stores the statistics, unless they are stored already. */
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
