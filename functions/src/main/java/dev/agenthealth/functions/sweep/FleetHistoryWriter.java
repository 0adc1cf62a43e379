package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.model.health.availability.Coverage;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes the counts of the fleet once a minute, and sums them up after each hour. Thread-safe.
 *
 * <p>This costs at most two write units a minute, and two more an hour. A minute has no counts if the registry was off or its self-check
 * failed.
 */
final class FleetHistoryWriter {

    /** The maximum delay of the counts: a slow pass writes them long after the beginning of their minute. */
    private static final Duration LATEST_COUNTS = Duration.ofMinutes(5);

    private static final int MINUTES_PER_HOUR = 60;
    private static final long HOURS_OF_MINUTES = FleetHistoryStore.RETENTION_OF_MINUTES.toHours();

    private final FleetHistoryStore store;

    private long lastMinute = Long.MIN_VALUE;
    private long addedUpThrough = Long.MIN_VALUE;

    FleetHistoryWriter(FleetHistoryStore store) {
        this.store = store;
    }

    /**
     * Writes the counts of a pass, unless an earlier pass of the same minute wrote its counts.
     *
     * @param before the state of the sweep after the previous pass
     * @param now the start of the pass
     */
    synchronized void keep(FleetStatistics statistics, SweepState before, Instant now) {
        long minute = FleetMinute.at(now);
        if (minute == lastMinute) {
            return;
        }
        boolean onTime = !before.isBlackout() && !before.startedAt().isBefore(now.minus(Coverage.MAX_DELAY));
        store.put(FleetMinute.of(statistics, now, onTime ? before.startedAt() : Instant.MIN));
        lastMinute = minute;
        addUp(FleetHour.at(now.minus(LATEST_COUNTS)) - 1);
    }

    /** Sums up the first complete hour that has no sum yet. */
    private void addUp(long lastComplete) {
        // It is greater if the clock was ahead.
        if (addedUpThrough == lastComplete) {
            return;
        }
        long next = Math.max(store.lastHour().orElse(0) + 1, lastComplete + 1 - HOURS_OF_MINUTES);
        Optional<FleetMinute> first = store.firstMinute(next * MINUTES_PER_HOUR);
        long hour = first.map(count -> FleetHour.at(count.start())).orElse(Long.MAX_VALUE);
        if (hour <= lastComplete) {
            List<FleetMinute> counts = store.minutes(hour * MINUTES_PER_HOUR, (hour + 1) * MINUTES_PER_HOUR);
            store.put(FleetHour.of(hour, counts));
        }
        addedUpThrough = Math.min(hour, lastComplete);
    }
}
