package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import java.time.Duration;
import java.time.Instant;

/**
 * Counts heartbeats and tells their number with the first one after {@link #INTERVAL}, as a line for each would cost more than storing it.
 * What an instance counted since is lost when it is ended. Thread-safe.
 */
final class HeartbeatCount {

    /** At most so often the number is told. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Log log;
    private long untold;
    private Instant tellFrom = Instant.MIN;

    HeartbeatCount(Log log) {
        this.log = log;
    }

    /**
     * A heartbeat was taken.
     *
     * @param now when
     */
    void taken(Instant now) {
        long number = addOne(now);
        if (number > 0) {
            log.metric(Metric.HEARTBEATS, number);
        }
    }

    /** How many are to be told now; 0 where it is too early. */
    private synchronized long addOne(Instant now) {
        untold++;
        if (now.isBefore(tellFrom)) {
            return 0;
        }
        tellFrom = now.plus(INTERVAL);
        long number = untold;
        untold = 0;
        return number;
    }
}
