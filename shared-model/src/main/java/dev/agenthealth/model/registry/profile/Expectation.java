package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.UsageCounter;
import dev.agenthealth.model.window.MeasurementWindow;

/** A number that an agent may declare about itself. Its health is judged against it (Agent Health Model; state draft §4). */
public enum Expectation implements WireNamed {
    /** The expected share of successes, 0 to 1. */
    SUCCESS_RATE(0, false, 1, false),
    /** The expected failures per hour. */
    FAILURES_PER_HOUR(0, false, 1_000_000, false),
    /** The expected runtime of one execution, in milliseconds. */
    RUNTIME_MS(0, true, 86_400_000d * 30, false),
    /** The permitted relative deviation from the runtime, such as 0.2 for 20 %. */
    DEVIATION_ALLOWED(0, true, 1_000, false),
    /** The number of executions from which reliability has full confidence. */
    FULL_CONFIDENCE_EXECUTIONS(1, false, 1_000_000, true),
    /** The number of long-running executions at which stability reaches 0. */
    LONG_RUNNING_THRESHOLD(1, false, 1_000_000, true),
    /** The number of SLA breaches at which their score reaches 0. */
    SLA_BREACH_THRESHOLD(1, false, 1_000_000, true),
    /** The number of trigger failures at which their score reaches 0. */
    TRIGGER_FAILURE_THRESHOLD(1, false, 1_000_000, true),
    /** The baseline latency in milliseconds. The p99 latency may be three times as high. */
    BASELINE_LATENCY_MS(0, true, 86_400_000d, false),
    /** The latency in milliseconds above which an execution breaches its SLA. */
    SLA_MS(0, true, 86_400_000d * 30, false),
    /** The length of the measurement window in seconds. */
    WINDOW_SECONDS(MeasurementWindow.MIN_SECONDS, false, MeasurementWindow.MAX_SECONDS, true),
    /** The average quality of evaluated executions below which the agent is degraded, 0 to 1. */
    MIN_QUALITY(0, false, 1, false),
    /** The tokens within an hour, a limit. */
    TOKENS_PER_HOUR(1, false, UsageCounter.MAX, true),
    /** The tokens on a day, a limit. */
    TOKENS_PER_DAY(1, false, UsageCounter.MAX, true),
    /** The tokens of one execution, a limit. */
    TOKENS_PER_EXECUTION(1, false, UsageCounter.MAX, true),
    /** The model calls of one execution, a limit. */
    MODEL_CALLS_PER_EXECUTION(1, false, UsageCounter.MAX, true),
    /** The executions within an hour, a limit. */
    EXECUTIONS_PER_HOUR(1, false, UsageCounter.MAX, true),
    /** 1 if tokens from a cache count in limits. */
    COUNT_CACHED(0, false, 1, true),
    /** The position of an {@link OnExceeded}. */
    ON_EXCEEDED(0, false, OnExceeded.values().length - 1, true);

    private final double minimum;
    private final boolean aboveMinimum;
    private final double maximum;
    private final boolean whole;

    Expectation(double minimum, boolean aboveMinimum, double maximum, boolean whole) {
        this.minimum = minimum;
        this.aboveMinimum = aboveMinimum;
        this.maximum = maximum;
        this.whole = whole;
    }

    /** Returns whether the number is a limit for the agent's usage. */
    public boolean isLimit() {
        return compareTo(TOKENS_PER_HOUR) >= 0 && compareTo(EXECUTIONS_PER_HOUR) <= 0;
    }

    /** Returns whether the number has its place under {@code limits}. */
    public boolean isOfLimits() {
        return compareTo(TOKENS_PER_HOUR) >= 0;
    }

    /** Returns whether a value may be declared. NaN and infinities are never accepted. */
    public boolean accepts(double value) {
        boolean high = aboveMinimum ? value > minimum : value >= minimum;
        return high && value <= maximum && (!whole || value == Math.rint(value));
    }

    /** Returns the rule of {@link #accepts}, for messages. */
    public String rule() {
        return "must be " + (whole ? "a whole number " : "a number ") + (aboveMinimum ? "above " : "from ")
                + text(minimum) + (aboveMinimum ? " and at most " : " to ") + text(maximum);
    }

    private static String text(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
