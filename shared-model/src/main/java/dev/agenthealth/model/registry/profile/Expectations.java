package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.window.MeasurementWindow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The numbers by which an agent is measured: declared numbers, and defaults for all others (Agent Health Model; Agent Health State §4).
 *
 * @param declared the declared numbers, each within the bounds of its {@link Expectation}
 */
public record Expectations(Map<Expectation, Double> declared) {

    /** The expectations of an agent that declares nothing. */
    public static final Expectations NONE = new Expectations(Map.of());

    /** The multiple of the expected runtime above which an execution is long-running. */
    public static final double LONG_RUNNING_FACTOR = 5;

    /** The multiple of the declared baseline above which latencies are too high. */
    public static final double BASELINE_FACTOR = 3;

    private static final double NOT_DECLARED = -1;

    public Expectations {
        declared = Map.copyOf(declared);
    }

    /** Returns these expectations with another number. */
    public Expectations with(Expectation expectation, double number) {
        Map<Expectation, Double> more = new HashMap<>(declared);
        more.put(expectation, number);
        return new Expectations(more);
    }

    /** Returns the expected share of successes; 0.95 by default. */
    public double successRate() {
        return number(Expectation.SUCCESS_RATE, 0.95);
    }

    /** Returns the expected failures per hour; 1 by default. */
    public double failuresPerHour() {
        return number(Expectation.FAILURES_PER_HOUR, 1);
    }

    /** Returns the expected runtime of an execution in milliseconds; empty by default. */
    public OptionalDouble runtimeMs() {
        return declaredOnly(Expectation.RUNTIME_MS);
    }

    /** Returns the runtime in milliseconds above which an execution is long-running; empty without a declared runtime. */
    public OptionalDouble longRunningMs() {
        return times(runtimeMs(), LONG_RUNNING_FACTOR);
    }

    /** Returns the permitted deviation from the runtime; 0.2 by default. */
    public double deviationAllowed() {
        return number(Expectation.DEVIATION_ALLOWED, 0.2);
    }

    /** Returns the number of executions from which reliability has full confidence; 20 by default. */
    public long fullConfidenceExecutions() {
        return whole(Expectation.FULL_CONFIDENCE_EXECUTIONS, 20);
    }

    /** Returns the number of long-running executions at which stability reaches 0; 15 by default. */
    public long longRunningThreshold() {
        return whole(Expectation.LONG_RUNNING_THRESHOLD, 15);
    }

    /** Returns the number of SLA breaches at which their score reaches 0; 5 by default. */
    public long slaBreachThreshold() {
        return whole(Expectation.SLA_BREACH_THRESHOLD, 5);
    }

    /** Returns the number of trigger failures at which their score reaches 0; 5 by default. */
    public long triggerFailureThreshold() {
        return whole(Expectation.TRIGGER_FAILURE_THRESHOLD, 5);
    }

    /** Returns the baseline latency in milliseconds; empty by default. */
    public OptionalDouble baselineLatencyMs() {
        return declaredOnly(Expectation.BASELINE_LATENCY_MS);
    }

    /** Returns the latency in milliseconds above which an agent is too slow; empty without a declared baseline. */
    public OptionalDouble latencyLimitMs() {
        return times(baselineLatencyMs(), BASELINE_FACTOR);
    }

    /** Returns the latency in milliseconds above which an execution breaches its SLA; empty by default. */
    public OptionalDouble slaMs() {
        return declaredOnly(Expectation.SLA_MS);
    }

    /** Returns the average quality below which the agent is degraded; empty by default. */
    public OptionalDouble minQuality() {
        return declaredOnly(Expectation.MIN_QUALITY);
    }

    /**
     * Returns a number that identifies the expected runtime, baseline and SLA. Counts with the same number were counted by the same expectations,
     * except for one case in four billion.
     */
    public int revision() {
        List<String> limits = Stream.of(Expectation.RUNTIME_MS, Expectation.BASELINE_LATENCY_MS, Expectation.SLA_MS)
                .map(limit -> Long.toHexString(Double.doubleToLongBits(declared.getOrDefault(limit, NOT_DECLARED))))
                .toList();
        return new BigInteger(Sha256.of(limits)).intValue();
    }

    /** Returns the measurement window; 24 hours by default. */
    public MeasurementWindow window() {
        return MeasurementWindow.ofSeconds(whole(Expectation.WINDOW_SECONDS, MeasurementWindow.DEFAULT.seconds()));
    }

    /** Returns the limits for the agent's usage. */
    public UsageLimits limits() {
        Map<UsageLimit, Long> numbers = new EnumMap<>(UsageLimit.class);
        for (UsageLimit limit : UsageLimit.values()) {
            Double number = declared.get(Expectation.valueOf(limit.name()));
            if (number != null) {
                numbers.put(limit, number.longValue());
            }
        }
        return new UsageLimits(
                numbers,
                whole(Expectation.COUNT_CACHED, 0) == 1,
                OnExceeded.values()[(int) whole(Expectation.ON_EXCEEDED, 0)]);
    }

    private double number(Expectation expectation, double otherwise) {
        // An agent may declare -0. This sum turns it into 0.
        return declared.getOrDefault(expectation, otherwise) + 0.0;
    }

    private long whole(Expectation expectation, long otherwise) {
        return declared.getOrDefault(expectation, (double) otherwise).longValue();
    }

    private OptionalDouble declaredOnly(Expectation expectation) {
        Double value = declared.get(expectation);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static OptionalDouble times(OptionalDouble value, double factor) {
        // Computes with decimals, as the agent declared them. Three times 0.7 is 2.1, which a product of doubles
        // misses.
        return value.isEmpty()
                ? value
                : OptionalDouble.of(BigDecimal.valueOf(value.getAsDouble())
                        .multiply(BigDecimal.valueOf(factor))
                        .doubleValue());
    }
}
