package dev.agenthealth.functions.runtime.wiring;

import java.time.Clock;
import java.time.Duration;

/**
 * The clock of the server and the pauses on it. Tests move both together.
 *
 * @param clock the server's clock, the only clock that rules read. It ticks in milliseconds, because timestamps are stored in milliseconds
 * @param pause waits between two attempts
 */
public record Time(Clock clock, Pause pause) {

    private static final Duration STORED = Duration.ofMillis(1);

    public Time {
        // A finer timestamp would change when it is stored.
        clock = Clock.tick(clock, STORED);
    }
}
