package dev.agenthealth.local.fleet;

import dev.agenthealth.model.registry.outcome.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The executions of one agent over time. Not thread-safe. */
final class Executions {

    private final Duration window;

    private Work work;
    private Instant nextEnds;
    private long number;

    /**
     * @param window the measurement window, which determines the time between executions
     * @param since start of the first execution
     */
    Executions(Work work, Duration window, Instant since) {
        this.window = window;
        this.work = work;
        this.nextEnds = work.hasExecutions() ? since.plus(work.interval(window)) : Instant.MAX;
    }

    /** Returns the executions that ended since the last call, oldest first. */
    List<Outcome> endedUntil(Instant now) {
        List<Outcome> ended = new ArrayList<>();
        while (!nextEnds.isAfter(now)) {
            ended.add(work.execution(number++, nextEnds));
            nextEnds = nextEnds.plus(work.interval(window));
        }
        return ended;
    }

    /** Continues with other work in the same interval. */
    void continueWith(Work other) {
        work = other;
        number = 0;
    }
}
