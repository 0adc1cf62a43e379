package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.window.MeasurementWindow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The numbers by which an agent is measured: those it declares, and defaults for those it does not (Agent Health Model; Agent Health State §4).
 *
 * @param declared what the agent declares, each number within the bounds of its {@link Expectation}
 */
public record Expectations(Map<Expectation, Double> declared) {

    /** The defaults of an agent that declares nothing. */
    public static final Expectations NONE = new Expectations(Map.of());

    /** An execution is long-running above this multiple of the expected runtime. */
    public static final double LONG_RUNNING_FACTOR = 5;

    /** Latencies are too high above this multiple of the declared baseline. */
    public static final double BASELINE_FACTOR = 3;

    private static final double NOT_DECLARED = -1;

    public Expectations {
        declared = Map.copyOf(declared);
    }

    /** Returns the same with this number. */
    public Expectations with(Expectation expectation, double number) {
        Map<Expectation, Double> more = new HashMap<>(declared);
        more.put(expectation, number);
        return new Expectations(more);
    }

    /** Expected share of successes; 0.95 by default. */
    public double successRate() {
        return number(Expectation.SUCCESS_RATE, 0.95);
    }

    /** Expected failures per hour; 1 by default. */
    public double failuresPerHour() {
        return number(Expectation.FAILURES_PER_HOUR, 1);
    }

    /** Expected runtime of an execution in milliseconds; none by default. */
    public OptionalDouble runtimeMs() {
        return declaredOnly(Expectation.RUNTIME_MS);
    }

    /** Runtime in milliseconds above which an execution is long-running; none where no runtime is declared. */
    public OptionalDouble longRunningMs() {
        return times(runtimeMs(), LONG_RUNNING_FACTOR);
    }

    /** Allowed deviation from the runtime; 0.2 by default. */
    public double deviationAllowed() {
        return number(Expectation.DEVIATION_ALLOWED, 0.2);
    }

    /** Number of executions from which the reliability has full confidence; 20 by default. */
    public long fullConfidenceExecutions() {
        return whole(Expectation.FULL_CONFIDENCE_EXECUTIONS, 20);
    }

    /** Long-running executions at which stability reaches 0; 15 by default. */
    public long longRunningThreshold() {
        return whole(Expectation.LONG_RUNNING_THRESHOLD, 15);
    }

    /** SLA breaches at which their score reaches 0; 5 by default. */
    public long slaBreachThreshold() {
        return whole(Expectation.SLA_BREACH_THRESHOLD, 5);
    }

    /** Trigger failures at which their score reaches 0; 5 by default. */
    public long triggerFailureThreshold() {
        return whole(Expectation.TRIGGER_FAILURE_THRESHOLD, 5);
    }

    /** Declared latency in milliseconds; none by default. */
    public OptionalDouble baselineLatencyMs() {
        return declaredOnly(Expectation.BASELINE_LATENCY_MS);
    }

    /** Latency in milliseconds above which it is too high; none where no baseline is declared. */
    public OptionalDouble latencyLimitMs() {
        return times(baselineLatencyMs(), BASELINE_FACTOR);
    }

    /** Latency in milliseconds above which an execution breaches its SLA; none by default. */
    public OptionalDouble slaMs() {
        return declaredOnly(Expectation.SLA_MS);
    }

    /**
     * A number that differs, but for one case in four billion, where executions are judged by another runtime, baseline or SLA. It says which counts
     * were taken by the same expectations.
     */
    public int revision() {
        List<String> limits = Stream.of(Expectation.RUNTIME_MS, Expectation.BASELINE_LATENCY_MS, Expectation.SLA_MS)
                .map(limit -> Long.toHexString(Double.doubleToLongBits(declared.getOrDefault(limit, NOT_DECLARED))))
                .toList();
        return new BigInteger(Sha256.of(limits)).intValue();
    }

    /** The measurement window; 24 hours by default. */
    public MeasurementWindow window() {
        return MeasurementWindow.ofSeconds(whole(Expectation.WINDOW_SECONDS, MeasurementWindow.DEFAULT.seconds()));
    }

    private double number(Expectation expectation, double otherwise) {
        // Zero may be declared as -0, which this sum makes 0.
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
        // In decimals, as the agent declared it: three times 0.7 is 2.1, which a product of doubles misses.
        return value.isEmpty()
                ? value
                : OptionalDouble.of(BigDecimal.valueOf(value.getAsDouble())
                        .multiply(BigDecimal.valueOf(factor))
                        .doubleValue());
    }
}
