package dev.agenthealth.model.event;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.health.score.ScoreState;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events about an agent's health (Agent Health State §5.2; Agent Health Model, Health States).
 *
 * <p>Events about a personal agent have its exact status and state, but no figures. Figures would show when its person is active (Agent Health
 * State §8).
 */
public final class HealthEvents {

    private static final int DECIMALS_OF_RATIOS = 6;
    private static final int DECIMALS_OF_LATENCIES = 3;
    private static final int DECIMALS_OF_DIMENSIONS = 4;

    /** The reason of a status that follows from the lifecycle status alone. Notification rules treat it as such. */
    public static final String BY_LIFECYCLE = "lifecycle";

    /** Present if the quality of the evaluated executions is below the minimum that the agent declares. */
    public static final String LOW_QUALITY = "low_quality";

    private HealthEvents() {}

    /**
     * Returns the event of a change of the health status.
     *
     * <p>If the agent falls from healthy, the event requires governance to treat results based on the agent's health as stale and to verify them
     * again: {@code "calibration_anchor": {"freshness": "stale", "reverification": "required", "reason": "health_degraded"}}. An agent falls if it
     * becomes degraded or unhealthy, and its last known published status was healthy. A change to unknown is no fall, but a later change to
     * degraded is.
     *
     * @param health the health after the change
     * @param previousPublished the previous published status
     * @param lastKnownPublished the last published status other than unknown; {@link HealthStatus#UNKNOWN} before the first such event
     * @param roleId the agent's role; empty without a role
     * @param capabilities the agent's capabilities
     * @param incarnation the agent's incarnation
     * @param sequence the number of the event among all events of the agent
     * @param now the moment of the detection
     */
    public static Event healthChanged(
            AgentHealth health,
            HealthStatus previousPublished,
            HealthStatus lastKnownPublished,
            String roleId,
            List<String> capabilities,
            long incarnation,
            long sequence,
            Instant now) {
        HealthStatus status = health.status();
        EventDetail detail = new EventDetail(EventType.AGENT_HEALTH, EventSeverity.of(status))
                .with("agent_id", health.agentId())
                .with("previous_status", previousPublished.wireName())
                .with("new_status", status.wireName());
        withAgent(detail, roleId, capabilities, now)
                .with("reason", health.isByLifecycle() ? BY_LIFECYCLE : "executions")
                .with("lifecycle_status", health.lifecycle().wireName());
        if (status == HealthStatus.DEGRADED
                && !health.isByLifecycle()
                && health.measurement().isLowQuality()) {
            detail.with(LOW_QUALITY, true);
        }
        if (!health.subject().personal()) {
            detail.with("calibration", calibration(health.measurement()))
                    .with("calibration_trend", health.measurement().trend().wireName());
            if (health.wasEverHealthy()) {
                detail.with("last_healthy_at", health.lastHealthyAt());
            }
        }
        if (EventSeverity.of(status) != Severity.INFO && lastKnownPublished == HealthStatus.HEALTHY) {
            detail.with("calibration_anchor", staleAnchor());
        }
        return detail.ofAgent(health.agentId(), incarnation, sequence, now);
    }

    /**
     * Returns the event of a change of the score state.
     *
     * @param health the health after the change
     * @param previousPublished the previous published state
     * @param roleId the agent's role; empty without a role
     * @param capabilities the agent's capabilities
     * @param incarnation the agent's incarnation
     * @param sequence the number of the event among all events of the agent
     * @param now the moment of the detection
     */
    public static Event scoreChanged(
            AgentHealth health,
            ScoreState previousPublished,
            String roleId,
            List<String> capabilities,
            long incarnation,
            long sequence,
            Instant now) {
        HealthScore score = health.score();
        EventDetail detail = new EventDetail(EventType.AGENT_SCORE, EventSeverity.of(score.state()))
                .with("agent_id", health.agentId())
                .with("previous_state", previousPublished.wireName())
                .with("new_state", score.state().wireName());
        withAgent(detail, roleId, capabilities, now);
        if (score.active() && !health.subject().personal()) {
            detail.with("score", score.points())
                    .with("dimensions", dimensions(score))
                    .with("not_evaluated", score.notEvaluated());
        }
        return detail.ofAgent(health.agentId(), incarnation, sequence, now);
    }

    private static EventDetail withAgent(EventDetail detail, String roleId, List<String> capabilities, Instant now) {
        return detail.with("timestamp", now)
                .with("detected_at", now)
                .withText("role_id", roleId)
                .with("capabilities", capabilities);
    }

    /** Returns the figures. Ratios are rounded towards the worse side, so that no ratio is shown on a boundary that it misses. */
    private static Map<String, Object> calibration(Measurement measurement) {
        Map<String, Object> calibration = new LinkedHashMap<>();
        calibration.put("response_ratio", number(measurement.responseRatio(), DECIMALS_OF_RATIOS, RoundingMode.FLOOR));
        calibration.put("error_ratio", number(measurement.errorRatio(), DECIMALS_OF_RATIOS, RoundingMode.CEILING));
        calibration.put(
                "latency_p50_ms", number(measurement.latencyP50Ms(), DECIMALS_OF_LATENCIES, RoundingMode.HALF_UP));
        calibration.put(
                "latency_p99_ms", number(measurement.latencyP99Ms(), DECIMALS_OF_LATENCIES, RoundingMode.HALF_UP));
        calibration.put(
                "measurement_window_seconds",
                measurement.expectations().window().length().toSeconds());
        calibration.put("sample_count", measurement.sampleCount());
        return calibration;
    }

    private static Map<String, Object> dimensions(HealthScore score) {
        Map<String, Object> dimensions = new LinkedHashMap<>();
        score.dimensions().forEach((name, of) -> of.ifPresent(number -> dimensions.put(name, dimension(number))));
        return dimensions;
    }

    private static BigDecimal dimension(double score) {
        return number(score, DECIMALS_OF_DIMENSIONS, RoundingMode.HALF_UP);
    }

    /** Returns a value rounded to a maximum number of decimals, without trailing zeros. */
    private static BigDecimal number(double value, int decimals, RoundingMode rounding) {
        BigDecimal stripped =
                BigDecimal.valueOf(value).setScale(decimals, rounding).stripTrailingZeros();
        return stripped.setScale(Math.max(stripped.scale(), 0), RoundingMode.UNNECESSARY);
    }

    private static Map<String, Object> staleAnchor() {
        Map<String, Object> anchor = new LinkedHashMap<>();
        anchor.put("freshness", "stale");
        anchor.put("reverification", "required");
        anchor.put("reason", "health_degraded");
        return anchor;
    }
}
