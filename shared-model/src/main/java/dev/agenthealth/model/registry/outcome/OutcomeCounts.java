package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Counts of outcomes. Counts of parts add up to the counts of the whole.
 *
 * @param counters the values of the counters
 * @param latencies the distribution of the latencies
 * @param reported the distribution of the latencies of executions that were reported as SLA breaches
 */
public record OutcomeCounts(Counts<OutcomeCounter> counters, LatencyHistogram latencies, LatencyHistogram reported) {

    /** The counts without any outcome. */
    public static final OutcomeCounts NONE = of(Map.of(), LatencyHistogram.EMPTY);

    private static final double MICROS_PER_MILLI = 1_000;

    /** Returns the counts with these counters, without any execution reported as an SLA breach. Missing counters are 0. */
    public static OutcomeCounts of(Map<OutcomeCounter, Long> counters, LatencyHistogram latencies) {
        return of(counters, latencies, LatencyHistogram.EMPTY);
    }

    /** Returns the counts with these counters. Missing counters are 0. */
    public static OutcomeCounts of(
            Map<OutcomeCounter, Long> counters, LatencyHistogram latencies, LatencyHistogram reported) {
        return new OutcomeCounts(new Counts<>(counters), latencies, reported);
    }

    /**
     * Returns the counts of one outcome.
     *
     * @param expected the agent's expectations at the moment of counting, by which long-running executions, SLA breaches and latencies above the
     *     baseline are counted exactly
     */
    public static OutcomeCounts of(Outcome outcome, OutcomeSource source, Expectations expected) {
        return execution(outcome, source, expected).plus(outcome.evaluation().counts());
    }

    private static OutcomeCounts execution(Outcome outcome, OutcomeSource source, Expectations expected) {
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
     * Counts the outcomes by other expectations. Long-running executions, SLA breaches and latencies above the baseline are then counted from the
     * distribution of latencies, with the precision of its buckets.
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

    /** Returns the value of a counter. */
    public long get(OutcomeCounter counter) {
        return counters.get(counter);
    }

    /** Returns the sum of two counts. A counter is limited to {@link Long#MAX_VALUE}. */
    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(
                counters.plus(other.counters), latencies.plus(other.latencies), reported.plus(other.reported));
    }

    /** Returns these counts without the distribution of latencies. The number and the sum of latencies stay. */
    public OutcomeCounts withoutLatencies() {
        return new OutcomeCounts(counters, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);
    }

    /** Returns the number of successful executions. */
    public long successes() {
        return get(OutcomeCounter.GATEWAY_SUCCESSES)
                + get(OutcomeCounter.COORDINATOR_SUCCESSES)
                + get(OutcomeCounter.SELF_SUCCESSES)
                + get(OutcomeCounter.TELEMETRY_SUCCESSES);
    }

    /** Returns the number of failed executions. */
    public long failures() {
        return get(OutcomeCounter.GATEWAY_FAILURES)
                + get(OutcomeCounter.COORDINATOR_FAILURES)
                + get(OutcomeCounter.SELF_FAILURES)
                + get(OutcomeCounter.TELEMETRY_FAILURES);
    }

    /**
     * Returns these counts without the failures that are attributed to a model provider. Latencies of all executions stay, unless no other execution
     * is left.
     */
    public OutcomeCounts withoutUpstreamErrors() {
        long left = get(OutcomeCounter.UPSTREAM_ERRORS);
        if (left == 0) {
            return this;
        }
        Map<OutcomeCounter, Long> reduced = new EnumMap<>(OutcomeCounter.class);
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            reduced.put(counter, get(counter));
        }
        for (OutcomeSource source : OutcomeSource.values()) {
            long removed = Math.min(left, get(source.failures()));
            reduced.put(source.failures(), get(source.failures()) - removed);
            left -= removed;
        }
        reduced.put(OutcomeCounter.UPSTREAM_ERRORS, 0L);
        OutcomeCounts others = of(reduced, latencies, reported);
        return others.executions() > 0
                ? others
                : of(
                        Map.of(OutcomeCounter.TRIGGER_FAILURES, get(OutcomeCounter.TRIGGER_FAILURES)),
                        LatencyHistogram.EMPTY);
    }

    /**
     * Returns the number of evaluations. Outcomes and events may evaluate the same executions, so the reporter with more evaluations counts, and events
     * if both have as many.
     */
    public long evaluations() {
        return Math.max(get(OutcomeCounter.EVALUATIONS), get(OutcomeCounter.EVENT_EVALUATIONS));
    }

    private long qualityMicros() {
        return get(OutcomeCounter.EVENT_EVALUATIONS) >= get(OutcomeCounter.EVALUATIONS)
                ? get(OutcomeCounter.EVENT_QUALITY_MICROS)
                : get(OutcomeCounter.QUALITY_MICROS);
    }

    /** Returns the average quality from 0 to 1; empty without evaluations. */
    public OptionalDouble quality() {
        return evaluations() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(qualityMicros() / Evaluation.MICROS / evaluations());
    }

    /** Returns whether the average quality is below a minimum, computed with whole numbers. */
    public boolean isQualityBelow(double minimum) {
        return qualityMicros() < Math.round(minimum * Evaluation.MICROS) * evaluations();
    }

    /** Returns the number of executions: successes and failures, but not trigger failures. */
    public long executions() {
        return successes() + failures();
    }

    /** Returns whether every counter is 0. */
    public boolean isNothing() {
        return counters.isNone();
    }
}
