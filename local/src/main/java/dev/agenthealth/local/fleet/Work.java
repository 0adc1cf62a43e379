package dev.agenthealth.local.fleet;

import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The executions of an agent: a repeated cycle of outcomes, which is determined by their number. Immutable. */
final class Work {

    /** No executions. */
    static final Work NONE = new Work(0, List.of());

    /** Latencies in milliseconds of executions within the declared runtime. */
    private static final double[] AS_DECLARED = {60, 75, 95, 70, 85, 65, 90, 80};

    /** Latencies in milliseconds of executions that are slow, but not long-running. */
    private static final double[] SLOW = {310, 450, 330, 390, 420, 350};

    private final int perWindow;
    private final List<Outcome> cycle;

    private Work(int perWindow, List<Outcome> cycle) {
        this.perWindow = perWindow;
        this.cycle = List.copyOf(cycle);
    }

    /** Returns an empty cycle with this number of executions per window. */
    static Work perWindow(int executions) {
        return new Work(executions, List.of());
    }

    /** Returns a copy with more successes per cycle, at the declared latencies. */
    Work succeeding(int times) {
        return succeeding(times, AS_DECLARED);
    }

    /** Returns a copy with more slow successes per cycle. */
    Work succeedingSlowly(int times) {
        return succeeding(times, SLOW);
    }

    private Work succeeding(int times, double[] latencies) {
        Work work = this;
        for (int i = 0; i < times; i++) {
            work = work.and(OutcomeResult.SUCCESS, ErrorType.OTHER, latencies[i % latencies.length], false);
        }
        return work;
    }

    /** Returns a copy with more failures per cycle. */
    Work failing(int times, ErrorType type, double latencyMs) {
        return failing(times, type, latencyMs, false);
    }

    /** Returns a copy with more failures per cycle that breach the SLA at any latency. */
    Work breaching(int times, ErrorType type, double latencyMs) {
        return failing(times, type, latencyMs, true);
    }

    private Work failing(int times, ErrorType type, double latencyMs, boolean slaBreached) {
        Work work = this;
        for (int i = 0; i < times; i++) {
            work = work.and(OutcomeResult.FAILURE, type, latencyMs, slaBreached);
        }
        return work;
    }

    /** Returns a copy with a trigger failure per cycle. */
    Work failingToStart() {
        return and(OutcomeResult.TRIGGER_FAILURE, ErrorType.OTHER, Outcome.NO_LATENCY, false);
    }

    /** Returns true if there are executions. */
    boolean hasExecutions() {
        return !cycle.isEmpty();
    }

    /** Returns the time between two executions for a window length. */
    Duration interval(Duration window) {
        return window.dividedBy(perWindow);
    }

    /** Returns the execution with this number, counted from 0. */
    Outcome execution(long number, Instant endsAt) {
        Outcome pattern = cycle.get((int) (number % cycle.size()));
        return new Outcome(pattern.result(), pattern.errorType(), pattern.latencyMs(), endsAt, pattern.slaBreached());
    }

    private Work and(OutcomeResult result, ErrorType errorType, double latencyMs, boolean slaBreached) {
        List<Outcome> longer = new ArrayList<>(cycle);
        longer.add(new Outcome(result, errorType, latencyMs, Instant.EPOCH, slaBreached));
        return new Work(perWindow, longer);
    }
}
