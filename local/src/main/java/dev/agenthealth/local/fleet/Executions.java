package dev.agenthealth.local.fleet;

import dev.agenthealth.model.outcome.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The executions of one agent as time goes on. Not thread-safe. */
final class Executions {

    private final Duration window;

    private Work work;
    private Instant nextEnds;
    private long number;

    /**
     * @param window the agent's measurement window, which sets the pace
     * @param since when the first execution begins
     */
    Executions(Work work, Duration window, Instant since) {
        this.window = window;
        this.work = work;
        this.nextEnds = work.isSome() ? since.plus(work.pace(window)) : Instant.MAX;
    }

    /** Those that ended since this was asked last, oldest first. */
    List<Outcome> endedBy(Instant now) {
        List<Outcome> ended = new ArrayList<>();
        while (!nextEnds.isAfter(now)) {
            ended.add(work.execution(number++, nextEnds));
            nextEnds = nextEnds.plus(work.pace(window));
        }
        return ended;
    }

    /** From now on the executions go like this, at the pace that they had. */
    void goOnWith(Work other) {
        work = other;
        number = 0;
    }
}
