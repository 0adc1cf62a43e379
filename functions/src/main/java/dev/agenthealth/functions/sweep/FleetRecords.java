package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Everything that is stored from the statistics of a pass: the statistics, the history of the fleet and the names of groups. Thread-safe. */
final class FleetRecords {

    private final StatisticsWriter statisticsWriter;
    private final FleetHistoryWriter historyWriter;
    private final GroupCleaner groupCleaner;

    FleetRecords(StatisticsWriter statisticsWriter, FleetHistoryWriter historyWriter, GroupCleaner groupCleaner) {
        this.statisticsWriter = statisticsWriter;
        this.historyWriter = historyWriter;
        this.groupCleaner = groupCleaner;
    }

    /**
     * Stores the statistics of a pass, and adds them to the history.
     *
     * @param state the state of the sweep at the start of the pass
     * @param mayChangeStatus whether the self-check passed or was not needed; otherwise the history gets no counts
     */
    void keep(FleetStatistics statistics, SweepState state, boolean mayChangeStatus, Instant now) {
        statisticsWriter.keep(statistics, now);
        if (mayChangeStatus) {
            historyWriter.keep(statistics, state, now);
        }
    }

    /** Removes unused names of groups. */
    void cleanGroups(FleetStatistics statistics, Instant now, BooleanSupplier timeLeft) {
        groupCleaner.run(statistics, now, timeLeft);
    }
}
