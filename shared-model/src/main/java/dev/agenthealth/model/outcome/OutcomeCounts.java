package dev.agenthealth.model.outcome;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.profile.Expectations;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts of outcomes. Counts of parts add up to the counts of the whole.
 *
 * @param counters the numbers by counter
 * @param latencies the distribution of the latencies
 */
public record OutcomeCounts(Counts<OutcomeCounter> counters, LatencyHistogram latencies) {

    /** The counts of no outcome. */
    public static final OutcomeCounts NONE = new OutcomeCounts(Counts.none(), LatencyHistogram.EMPTY);

    private static final double MICROS_PER_MILLI = 1_000;

    /** The counts with these counters; those that are missing are 0. */
    public static OutcomeCounts of(Map<OutcomeCounter, Long> counters, LatencyHistogram latencies) {
        return new OutcomeCounts(new Counts<>(counters), latencies);
    }

    /**
     * The counts of one outcome.
     *
     * @param expected what the agent declares at the moment of counting; long-running executions, SLA breaches and latencies above the
     *     baseline are counted exactly, not from buckets
     */
    public static OutcomeCounts of(Outcome outcome, OutcomeSource source, Expectations expected) {
        Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
        if (outcome.result() == OutcomeResult.TRIGGER_FAILURE) {
            counters.put(OutcomeCounter.TRIGGER_FAILURES, 1L);
            return of(counters, LatencyHistogram.EMPTY);
        }
        if (outcome.result() == OutcomeResult.SUCCESS) {
            counters.put(source.successes(), 1L);
        } else {
            counters.put(source.failures(), 1L);
            counters.put(outcome.errorType().counter(), 1L);
        }
        if (outcome.slaBreached() || outcome.latencyMs() > expected.slaMs().orElse(Double.POSITIVE_INFINITY)) {
            counters.put(OutcomeCounter.SLA_BREACHES, 1L);
        }
        if (!outcome.hasLatency()) {
            return of(counters, LatencyHistogram.EMPTY);
        }
        counters.put(OutcomeCounter.LATENCIES, 1L);
        counters.put(OutcomeCounter.LATENCY_MICROS, Math.round(outcome.latencyMs() * MICROS_PER_MILLI));
        if (outcome.latencyMs() > expected.longRunningMs().orElse(Double.POSITIVE_INFINITY)) {
            counters.put(OutcomeCounter.LONG_RUNNING, 1L);
        }
        if (outcome.latencyMs() > expected.latencyLimitMs().orElse(Double.POSITIVE_INFINITY)) {
            counters.put(OutcomeCounter.ABOVE_BASELINE, 1L);
        }
        return of(counters, LatencyHistogram.of(Map.of(LatencyBuckets.of(outcome.latencyMs()), 1L)));
    }

    /** The number of a counter. */
    public long get(OutcomeCounter counter) {
        return counters.get(counter);
    }

    /** The sum of two counts; a counter is {@link Long#MAX_VALUE} where it would be larger. */
    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(counters.plus(other.counters), latencies.plus(other.latencies));
    }

    /** The same counts without the distribution of the latencies, of which number and sum stay. */
    public OutcomeCounts withoutLatencies() {
        return new OutcomeCounts(counters, LatencyHistogram.EMPTY);
    }

    /** Executions that succeeded. */
    public long successes() {
        return get(OutcomeCounter.GATEWAY_SUCCESSES)
                + get(OutcomeCounter.COORDINATOR_SUCCESSES)
                + get(OutcomeCounter.SELF_SUCCESSES);
    }

    /** Executions that failed. */
    public long failures() {
        return get(OutcomeCounter.GATEWAY_FAILURES)
                + get(OutcomeCounter.COORDINATOR_FAILURES)
                + get(OutcomeCounter.SELF_FAILURES);
    }

    /** All executions: successes and failures, but not trigger failures. */
    public long executions() {
        return successes() + failures();
    }

    /** Whether every counter is 0. */
    public boolean isNothing() {
        return counters.isNone();
    }
}
