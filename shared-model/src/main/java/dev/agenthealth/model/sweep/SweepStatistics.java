package dev.agenthealth.model.sweep;

import dev.agenthealth.model.Counts;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The results of passes of the sweep, for monitoring.
 *
 * @param heard the number of monitored agents that sent a heartbeat within the minute before a pass; empty if none was counted
 * @param detectionLag the longest time between a threshold and its detection, in the last pass that detected anything; zero without one
 * @param events the number of published events
 */
public record SweepStatistics(OptionalLong heard, Duration detectionLag, Counts<SweepEvent> events) {

    /** The statistics without any pass. */
    public static final SweepStatistics NONE = new SweepStatistics(OptionalLong.empty(), Duration.ZERO, Counts.none());
}
