package dev.agenthealth.model.health;

import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * The figures of an agent's outcomes of one window (Agent Health State §4.3 and §4.4), together with the agent's expectations.
 *
 * @param expectations the expectations of the agent
 * @param counts the outcomes of the window; the distribution of latencies may be missing, as both quantiles are stored separately
 * @param latencyP50Ms the median latency in milliseconds; 0 without latencies
 * @param latencyP99Ms the 99th percentile of the latencies in milliseconds; 0 without latencies
 * @param previousSuccesses the successes of the previous window
 * @param previousSamples the executions of the previous window
 * @param observedHours the hours over which failures are counted: the window or the age of the measurement, whichever is shorter, at least 1
 */
public record Measurement(
        Expectations expectations,
        OutcomeCounts counts,
        double latencyP50Ms,
        double latencyP99Ms,
        long previousSuccesses,
        long previousSamples,
        double observedHours) {

    /** The number of samples below which the status is unknown. */
    public static final long MIN_SAMPLES = 10;

    /** The number of evaluations below which the quality is unknown. */
    public static final long MIN_EVALUATIONS = 5;

    /** The number of decimals of latencies in milliseconds. */
    public static final int LATENCY_DECIMALS = 3;

    public Measurement {
        if (!(observedHours >= 1)) {
            throw new IllegalArgumentException("failures counted over " + observedHours + " hours");
        }
    }

    /** Returns the number of executions in the window. */
    public long sampleCount() {
        return counts.executions();
    }

    /** Returns the share of successes, 0 without samples. */
    public double responseRatio() {
        return share(counts.successes());
    }

    /** Returns the share of failures, 0 without samples. */
    public double errorRatio() {
        return share(counts.failures());
    }

    /** Returns the direction in which the response ratio changes. */
    public CalibrationTrend trend() {
        return CalibrationTrend.between(previousSuccesses, previousSamples, counts.successes(), sampleCount());
    }

    /**
     * Returns the health status (Agent Health State §4.3), computed with whole numbers. The 99th percentile by nearest rank is too high if more
     * than 1 % of the latencies are above three times the baseline. An agent without a declared baseline is never too slow.
     * An agent of {@linkplain #isLowQuality low quality} is degraded too, which is an addition to the draft.
     *
     * @param lifecycle the agent's lifecycle status: a dead agent is unhealthy, an unhealthy agent degraded at best, and a deregistered agent keeps
     *     the status by its outcomes
     */
    public HealthStatus status(LifecycleStatus lifecycle) {
        if (lifecycle == LifecycleStatus.DEAD) {
            return HealthStatus.UNHEALTHY;
        }
        long samples = sampleCount();
        if (samples < MIN_SAMPLES) {
            return HealthStatus.UNKNOWN;
        }
        if (2 * counts.successes() < samples) {
            return HealthStatus.UNHEALTHY;
        }
        boolean degraded =
                isBelowHealthyRatio() || isTooSlow() || isLowQuality() || lifecycle == LifecycleStatus.UNHEALTHY;
        return degraded ? HealthStatus.DEGRADED : HealthStatus.HEALTHY;
    }

    /** Returns whether the share of successes is below 0.95, the minimum of a healthy agent. */
    public boolean isBelowHealthyRatio() {
        return 100 * counts.successes() < 95 * sampleCount();
    }

    /** Returns whether more than 1 % of the latencies are above three times the baseline. */
    public boolean isTooSlow() {
        return isTooSlow(expectations, counts);
    }

    /** Returns whether the average quality is below the minimum that the agent declares. Without a minimum, no quality is low. */
    public boolean isLowQuality() {
        return sampleCount() >= MIN_SAMPLES
                && counts.evaluations() >= MIN_EVALUATIONS
                && expectations.minQuality().isPresent()
                && counts.isQualityBelow(expectations.minQuality().getAsDouble());
    }

    /** Returns the score (Agent Health Model). */
    public HealthScore score() {
        return HealthScore.of(expectations, counts, observedHours);
    }

    /** Returns whether more than 1 % of the latencies are above three times the baseline. */
    static boolean isTooSlow(Expectations expectations, OutcomeCounts counts) {
        return expectations.latencyLimitMs().isPresent()
                && 100 * counts.get(OutcomeCounter.ABOVE_BASELINE) > counts.get(OutcomeCounter.LATENCIES);
    }

    private double share(long number) {
        return sampleCount() == 0 ? 0 : (double) number / sampleCount();
    }
}
