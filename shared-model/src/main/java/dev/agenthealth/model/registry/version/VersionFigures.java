package dev.agenthealth.model.registry.version;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * The figures of one version of a role.
 *
 * @param version the version
 * @param firstSeen when its first execution was counted
 * @param lastSeen when its last execution was counted, and at most the end of the hour of the execution
 * @param sums the sums of its executions
 */
public record VersionFigures(String version, Instant firstSeen, Instant lastSeen, VersionSums sums) {

    private static final int MEDIAN = 50;
    private static final int P99 = 99;
    private static final MathContext QUANTILE_PRECISION = new MathContext(2, RoundingMode.HALF_UP);

    /** Returns the share of successes; 0 without executions. */
    public double successRate() {
        return sums.executions() == 0 ? 0 : (double) sums.successes() / sums.executions();
    }

    /** Returns the interval of the success rate with a confidence of 95 %. */
    public WilsonInterval interval() {
        return WilsonInterval.of(sums.successes(), sums.executions(), WilsonInterval.CONFIDENCE_95);
    }

    /** Returns the median latency in milliseconds; 0 without latencies. */
    public double medianMs() {
        return quantile(MEDIAN);
    }

    /** Returns the 99th percentile of the latencies in milliseconds; 0 without latencies. */
    public double p99Ms() {
        return quantile(P99);
    }

    private double quantile(int percent) {
        return BigDecimal.valueOf(sums.latencies().quantile(percent))
                .round(QUANTILE_PRECISION)
                .doubleValue();
    }

    /** Returns the mean number of tokens of an execution; 0 if no execution has tokens. */
    public double tokensPerExecution() {
        return sums.tokensThatCount().mean();
    }
}
