package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Counts of outcomes. Counts of parts add up to the counts of the whole.
 *
 * @param counters the numbers by counter
 * @param latencies the distribution of the latencies
 * @param reported the distribution of those latencies whose executions were reported as breaches of the SLA
 */
public record OutcomeCounts(Counts<OutcomeCounter> counters, LatencyHistogram latencies, LatencyHistogram reported) {

    /** The counts of no outcome. */
    public static final OutcomeCounts NONE = of(Map.of(), LatencyHistogram.EMPTY);

    private static final double MICROS_PER_MILLI = 1_000;

    /** The counts with these counters; those that are missing are 0. No latency is of an execution that was reported as a breach. */
    public static OutcomeCounts of(Map<OutcomeCounter, Long> counters, LatencyHistogram latencies) {
        return of(counters, latencies, LatencyHistogram.EMPTY);
    }

    /** The counts with these counters; those that are missing are 0. */
    public static OutcomeCounts of(
            Map<OutcomeCounter, Long> counters, LatencyHistogram latencies, LatencyHistogram reported) {
        return new OutcomeCounts(new Counts<>(counters), latencies, reported);
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
        if (outcome.slaBreached()) {
            counters.put(OutcomeCounter.SLA_REPORTED, 1L);
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
        LatencyHistogram latency = LatencyHistogram.of(Map.of(LatencyBuckets.of(outcome.latencyMs()), 1L));
        return of(counters, latency, outcome.slaBreached() ? latency : LatencyHistogram.EMPTY);
    }

    /**
     * Judges the outcomes by other expectations: long-running executions, SLA breaches and latencies above the baseline are counted from the
     * distribution of the latencies, within the width of a bucket.
     */
    public OutcomeCounts countedBy(Expectations expected) {
        Map<OutcomeCounter, Long> judged = new EnumMap<>(OutcomeCounter.class);
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            judged.put(counter, get(counter));
        }
        judged.put(OutcomeCounter.LONG_RUNNING, above(latencies, expected.longRunningMs()));
        judged.put(OutcomeCounter.ABOVE_BASELINE, above(latencies, expected.latencyLimitMs()));
        judged.put(
                OutcomeCounter.SLA_BREACHES,
                get(OutcomeCounter.SLA_REPORTED) + above(latencies.minus(reported), expected.slaMs()));
        return of(judged, latencies, reported);
    }

    private static long above(LatencyHistogram latencies, OptionalDouble limitMs) {
        return latencies.above(limitMs.orElse(Double.POSITIVE_INFINITY));
    }

    /** The number of a counter. */
    public long get(OutcomeCounter counter) {
        return counters.get(counter);
    }

    /** The sum of two counts; a counter is {@link Long#MAX_VALUE} where it would be larger. */
    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(
                counters.plus(other.counters), latencies.plus(other.latencies), reported.plus(other.reported));
    }

    /** Returns the counts without the distribution of the latencies, of which number and sum stay. */
    public OutcomeCounts withoutLatencies() {
        return new OutcomeCounts(counters, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);
    }

    /** Executions that succeeded. */
    public long successes() {
        return get(OutcomeCounter.GATEWAY_SUCCESSES)
                + get(OutcomeCounter.COORDINATOR_SUCCESSES)
                + get(OutcomeCounter.SELF_SUCCESSES)
                + get(OutcomeCounter.TELEMETRY_SUCCESSES);
    }

    /** Executions that failed. */
    public long failures() {
        return get(OutcomeCounter.GATEWAY_FAILURES)
                + get(OutcomeCounter.COORDINATOR_FAILURES)
                + get(OutcomeCounter.SELF_FAILURES)
                + get(OutcomeCounter.TELEMETRY_FAILURES);
    }

    /** All executions: successes and failures, but not trigger failures. */
    public long executions() {
        return successes() + failures();
    }

    /** Returns whether every counter is 0. */
    public boolean isNothing() {
        return counters.isNone();
    }
}
