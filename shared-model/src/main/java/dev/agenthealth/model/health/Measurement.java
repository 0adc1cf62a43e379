package dev.agenthealth.model.health;

import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * The figures of an agent's outcomes of one window (Agent Health State §4.3 and §4.4), with the expectations that apply.
 *
 * @param expectations the expectations of the agent
 * @param counts the outcomes of the window; the distribution of their latencies may be left out, as the two quantiles are separate
 * @param latencyP50Ms median latency in milliseconds; 0 without latencies
 * @param latencyP99Ms 99th percentile of the latencies in milliseconds; 0 without latencies
 * @param previousSuccesses successes of the window before
 * @param previousSamples executions of the window before
 * @param observedHours hours over which failures are counted: the window, or the time since the measurement began where that is shorter, and at
 *     least 1
 */
public record Measurement(
        Expectations expectations,
        OutcomeCounts counts,
        double latencyP50Ms,
        double latencyP99Ms,
        long previousSuccesses,
        long previousSamples,
        double observedHours) {

    /** With fewer samples the status is unknown. */
    public static final long MIN_SAMPLES = 10;

    /** The decimals with which latencies in milliseconds are shown. */
    public static final int LATENCY_DECIMALS = 3;

    public Measurement {
        if (!(observedHours >= 1)) {
            throw new IllegalArgumentException("failures counted over " + observedHours + " hours");
        }
    }

    /** Executions of the window. */
    public long sampleCount() {
        return counts.executions();
    }

    /** The share of successes, 0 without samples. */
    public double responseRatio() {
        return share(counts.successes());
    }

    /** The share of failures, 0 without samples. */
    public double errorRatio() {
        return share(counts.failures());
    }

    /** Where the response ratio goes. */
    public CalibrationTrend trend() {
        return CalibrationTrend.between(previousSuccesses, previousSamples, counts.successes(), sampleCount());
    }

    /**
     * The health status (Agent Health State §4.3), decided by whole numbers. More than 1 % of the latencies above three times the baseline
     * is what it means that their 99th percentile by nearest rank is above it; an agent that declares no baseline cannot exceed it.
     *
     * @param lifecycle the agent's lifecycle status: a dead agent is unhealthy, an unhealthy one degraded at best; one that is deregistered
     *     keeps the status by its outcomes
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
        boolean degraded = isBelowHealthyRatio() || isTooSlow() || lifecycle == LifecycleStatus.UNHEALTHY;
        return degraded ? HealthStatus.DEGRADED : HealthStatus.HEALTHY;
    }

    /** Returns whether the share of successes is below that of a healthy agent, 0.95. */
    public boolean isBelowHealthyRatio() {
        return 100 * counts.successes() < 95 * sampleCount();
    }

    /** Returns whether more than 1 % of the latencies are above three times the baseline. */
    public boolean isTooSlow() {
        return isTooSlow(expectations, counts);
    }

    /** The score (Agent Health Model). */
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
