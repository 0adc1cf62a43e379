package dev.agenthealth.client.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides by a document (Agent Health State, Appendix A).
 *
 * @param minResponseRatio the ratio below which a healthy agent is called with caution
 */
record DecisionRule(double minResponseRatio) {

    /** The minimum response ratio of a healthy agent (§4.3). */
    static final double HEALTHY_RATIO = 0.95;

    private static final Duration RECENT_START = Duration.ofMinutes(10);
    private static final double RECENT_CHANGE_DAYS = 7;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    private static final double MIN_TIMEOUT_MILLIS = 1_000;
    private static final double MAX_TIMEOUT_MILLIS = 30_000;

    /**
     * Returns the decision.
     *
     * @param before the status in the previous document
     * @param until the time at which the document is read again
     */
    Decision decide(HealthState health, Optional<HealthStatus> before, Instant until) {
        List<Reason> reasons = reasons(health, before);
        return switch (health.status()) {
            case HEALTHY ->
                reasons.contains(Reason.LOW_RESPONSE_RATIO)
                        ? cautious(health, reasons)
                        : new Decision.Proceed(health, reasons);
            case DEGRADED -> cautious(health, reasons);
            case UNHEALTHY -> new Decision.Avoid(health, reasons, until);
            case UNKNOWN -> new Decision.Default(Optional.of(health), "the agent does not know its health");
        };
    }

    private static Decision cautious(HealthState health, List<Reason> reasons) {
        return new Decision.ProceedWithCaution(health, reasons, CONNECT_TIMEOUT, requestTimeout(health));
    }

    private List<Reason> reasons(HealthState health, Optional<HealthStatus> before) {
        List<Reason> reasons = new ArrayList<>();
        boolean degraded = health.status() == HealthStatus.DEGRADED;
        boolean declining = health.trend().filter(Trend.DECLINING::equals).isPresent();
        boolean modelChanged = health.daysSinceModelChange().orElse(Double.MAX_VALUE) <= RECENT_CHANGE_DAYS;
        boolean started = health.uptime()
                .filter(uptime -> uptime.compareTo(RECENT_START) < 0)
                .isPresent();
        add(reasons, Reason.DEGRADED, degraded);
        add(
                reasons,
                Reason.NO_LONGER_HEALTHY,
                before.filter(HealthStatus.HEALTHY::equals).isPresent() && health.status() != HealthStatus.HEALTHY);
        add(
                reasons,
                Reason.LOW_RESPONSE_RATIO,
                !health.hasFewSamples() && health.responseRatio().orElse(1) < minResponseRatio);
        add(reasons, Reason.LOW_CONFIDENCE, health.hasFewSamples());
        add(reasons, Reason.DECLINING, declining && !modelChanged);
        add(reasons, Reason.DECLINING_AFTER_MODEL_CHANGE, declining && modelChanged);
        add(reasons, Reason.POSSIBLE_CRASH_LOOP, degraded && started);
        return reasons;
    }

    private static void add(List<Reason> reasons, Reason reason, boolean holds) {
        if (holds) {
            reasons.add(reason);
        }
    }

    private static Duration requestTimeout(HealthState health) {
        if (health.latencyP99Millis().isEmpty() || health.hasFewSamples()) {
            return DEFAULT_TIMEOUT;
        }
        double millis = Math.ceil(health.latencyP99Millis().getAsDouble());
        return Duration.ofMillis((long) Math.max(MIN_TIMEOUT_MILLIS, Math.min(MAX_TIMEOUT_MILLIS, millis)));
    }
}
