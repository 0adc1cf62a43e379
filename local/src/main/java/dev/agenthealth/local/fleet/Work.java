package dev.agenthealth.local.fleet;

import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How the executions of an agent go: a cycle of outcomes that repeats itself, so that whoever knows how many there were knows all about
 * them. Immutable.
 */
final class Work {

    /** No executions. */
    static final Work NONE = new Work(0, List.of());

    /** Latencies in milliseconds of executions that go as declared. */
    private static final double[] AS_DECLARED = {60, 75, 95, 70, 85, 65, 90, 80};

    /** Latencies in milliseconds of executions that are slow, but not long-running. */
    private static final double[] SLOW = {310, 450, 330, 390, 420, 350};

    private final int perWindow;
    private final List<Outcome> cycle;

    private Work(int perWindow, List<Outcome> cycle) {
        this.perWindow = perWindow;
        this.cycle = List.copyOf(cycle);
    }

    /** No executions yet, but so many of them in the length of a window. */
    static Work perWindow(int executions) {
        return new Work(executions, List.of());
    }

    /** This work and so many successes in each cycle, with the latencies that were declared. */
    Work succeeding(int times) {
        return succeeding(times, AS_DECLARED);
    }

    /** This work and so many slow successes in each cycle. */
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

    /** This work and so many failures in each cycle. */
    Work failing(int times, ErrorType type, double latencyMs) {
        return failing(times, type, latencyMs, false);
    }

    /** This work and so many failures in each cycle that breach the agent's SLA, whatever their latency. */
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

    /** This work and a trigger failure in each cycle. */
    Work failingToStart() {
        return and(OutcomeResult.TRIGGER_FAILURE, ErrorType.OTHER, Outcome.NO_LATENCY, false);
    }

    /** Whether there are any executions. */
    boolean isSome() {
        return !cycle.isEmpty();
    }

    /** The time from one execution to the next in windows of this length. */
    Duration pace(Duration window) {
        return window.dividedBy(perWindow);
    }

    /** The execution with this number, from 0, which ends at this moment. */
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
