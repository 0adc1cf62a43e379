package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * Counts heartbeats and reports their number at most once per {@link #INTERVAL}, because a line for each heartbeat would cost more than
 * storing it. The last count of an instance is lost when the instance ends. Thread-safe.
 */
final class HeartbeatCount {

    static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Log log;
    private long unreported;
    private Instant reportFrom = Instant.MIN;

    HeartbeatCount(Log log) {
        this.log = log;
    }

    /** Counts one heartbeat. */
    void add(Instant now) {
        long number = addOne(now);
        if (number > 0) {
            log.metric(Metric.HEARTBEATS, number);
        }
    }

    /** Returns the number to report now; 0 within the interval. */
    private synchronized long addOne(Instant now) {
        unreported++;
        if (ClockRule.holds(reportFrom, INTERVAL, now)) {
            return 0;
        }
        reportFrom = now.plus(INTERVAL);
        long number = unreported;
        unreported = 0;
        return number;
    }
}
