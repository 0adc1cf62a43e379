package dev.agenthealth.model.outcome;

import dev.agenthealth.model.profile.Expectations;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Outcomes, counted. Counts of parts add up to the counts of the whole. Immutable. */
public final class OutcomeCounts {

    /** The counts of no outcome. */
    public static final OutcomeCounts NONE =
            new OutcomeCounts(new long[OutcomeCounter.values().length], LatencyHistogram.EMPTY);

    private static final double MICROS_PER_MILLI = 1_000;

    private final long[] counters;
    private final LatencyHistogram latencies;

    private OutcomeCounts(long[] counters, LatencyHistogram latencies) {
        this.counters = counters;
        this.latencies = latencies;
    }

    /** Counts as they were stored; counters that are missing are 0. */
    public static OutcomeCounts of(Map<OutcomeCounter, Long> counters, LatencyHistogram latencies) {
        long[] numbers = new long[OutcomeCounter.values().length];
        counters.forEach((counter, number) -> numbers[counter.ordinal()] = number);
        return new OutcomeCounts(numbers, latencies);
    }

    /**
     * The counts of one outcome.
     *
     * @param expected what the agent declares at the moment of counting: what is long-running, too late or above the baseline is decided
     *     here, exactly, and not from buckets
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
        return counters[counter.ordinal()];
    }

    /** The latencies. */
    public LatencyHistogram latencies() {
        return latencies;
    }

    /** The sum of two counts; {@link Long#MAX_VALUE} where it would be larger, which latencies of weeks can make of their sum. */
    public OutcomeCounts plus(OutcomeCounts other) {
        long[] sum = counters.clone();
        for (int i = 0; i < sum.length; i++) {
            long exact = sum[i] + other.counters[i];
            sum[i] = exact < 0 ? Long.MAX_VALUE : exact;
        }
        return new OutcomeCounts(sum, latencies.plus(other.latencies));
    }

    /** The same counts without the distribution of the latencies, of which number and sum stay. */
    public OutcomeCounts withoutLatencies() {
        return new OutcomeCounts(counters, LatencyHistogram.EMPTY);
    }

    /** Executions that succeeded, whoever reported them. */
    public long successes() {
        return get(OutcomeCounter.GATEWAY_SUCCESSES)
                + get(OutcomeCounter.COORDINATOR_SUCCESSES)
                + get(OutcomeCounter.SELF_SUCCESSES);
    }

    /** Executions that failed, whoever reported them. */
    public long failures() {
        return get(OutcomeCounter.GATEWAY_FAILURES)
                + get(OutcomeCounter.COORDINATOR_FAILURES)
                + get(OutcomeCounter.SELF_FAILURES);
    }

    /** All executions: successes and failures, but not trigger failures. */
    public long executions() {
        return successes() + failures();
    }

    /** Whether nothing at all was counted. */
    public boolean isNothing() {
        return Arrays.stream(counters).allMatch(number -> number == 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutcomeCounts counts
                && Arrays.equals(counters, counts.counters)
                && latencies.equals(counts.latencies);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(counters) + latencies.hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("OutcomeCounts[");
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            if (get(counter) != 0) {
                text.append(counter).append('=').append(get(counter)).append(' ');
            }
        }
        return text.append(latencies).append(']').toString();
    }
}
