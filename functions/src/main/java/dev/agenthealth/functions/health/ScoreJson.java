package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.health.score.OperationalScore;
import dev.agenthealth.model.health.score.PerformanceScore;
import dev.agenthealth.model.health.score.ReliabilityScore;
import dev.agenthealth.model.health.score.StabilityScore;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import java.util.OptionalDouble;

/** JSON of an agent's score with its four dimensions and their inputs (Agent Health Model). */
final class ScoreJson {

    private static final int DECIMALS = 6;
    private static final int MILLISECOND_DECIMALS = 3;

    private ScoreJson() {}

    static ObjectNode of(AgentScore agent) {
        HealthReading reading = agent.reading();
        Measurement measurement = reading.health().measurement();
        HealthScore score = reading.health().score();
        ObjectNode json = Json.object().put("agent_id", reading.health().agentId());
        json.put("verdict", agent.facts().verdict().wireName());
        ArrayNode reasons = json.putArray("reasons");
        agent.reasons().forEach(reasons::add);
        HealthJson.putPoints(json, score);
        json.put("state", score.state().wireName());
        json.put("health_status", reading.status().wireName());
        json.put("lifecycle_status", reading.lifecycle().status().wireName());
        json.put("window_seconds", measurement.expectations().window().length().toSeconds());
        json.put("executions", measurement.sampleCount());
        HealthJson.putMoment(json, "computed_at", reading.computedAt());
        ArrayNode notEvaluated = json.putArray("not_evaluated");
        score.notEvaluated().forEach(notEvaluated::add);
        ObjectNode dimensions = json.putObject("dimensions");
        dimensions.set("reliability", reliability(score.reliability()));
        dimensions.set("performance", performance(score.performance()));
        dimensions.set("stability", stability(score.stability()));
        dimensions.set("operational", operational(score.operational()));
        json.set("calibration", HealthJson.calibration(measurement));
        json.put("calibration_trend", measurement.trend().wireName());
        json.set("quality", HealthJson.quality(measurement));
        putCounts(json, measurement.counts());
        return json;
    }

    private static ObjectNode reliability(ReliabilityScore reliability) {
        boolean evaluated = reliability.isEvaluated();
        ObjectNode json = dimension(evaluated, reliability.score(), HealthScore.RELIABILITY_WEIGHT);
        json.put("expected_success_rate", Decimals.share(reliability.expectedSuccessRate()));
        putShare(json, "actual_success_rate", evaluated, reliability.actualSuccessRate());
        putShare(json, "success_score", evaluated, reliability.successScore());
        json.put("expected_failures_per_hour", Decimals.rounded(reliability.expectedFailuresPerHour(), DECIMALS));
        json.put(
                "actual_failures_per_hour",
                evaluated ? Decimals.rounded(reliability.actualFailuresPerHour(), DECIMALS) : null);
        putShare(json, "failure_score", evaluated, reliability.failureScore());
        json.put("executions", reliability.executions());
        json.put("full_confidence_executions", reliability.fullConfidenceExecutions());
        return json.put("confidence", Decimals.share(reliability.confidence()));
    }

    private static ObjectNode performance(PerformanceScore performance) {
        ObjectNode json = dimension(performance.isEvaluated(), performance.score(), HealthScore.PERFORMANCE_WEIGHT);
        put(json, "expected_runtime_ms", performance.expectedRuntimeMs(), MILLISECOND_DECIMALS);
        put(json, "actual_runtime_ms", performance.actualRuntimeMs(), MILLISECOND_DECIMALS);
        put(json, "deviation", performance.deviation(), DECIMALS);
        return json.put("deviation_allowed", Decimals.rounded(performance.deviationAllowed(), DECIMALS));
    }

    private static ObjectNode stability(StabilityScore stability) {
        return dimension(stability.evaluated(), stability.score(), HealthScore.STABILITY_WEIGHT)
                .put("long_running", stability.longRunning())
                .put("long_running_threshold", stability.threshold());
    }

    private static ObjectNode operational(OperationalScore operational) {
        boolean evaluated = operational.evaluated();
        ObjectNode json = dimension(evaluated, operational.score(), HealthScore.OPERATIONAL_WEIGHT);
        json.put("sla_breaches", operational.slaBreaches());
        json.put("sla_breach_threshold", operational.slaBreachThreshold());
        putShare(json, "sla_score", evaluated, operational.slaScore());
        json.put("trigger_failures", operational.triggerFailures());
        json.put("trigger_failure_threshold", operational.triggerFailureThreshold());
        putShare(json, "trigger_score", evaluated, operational.triggerScore());
        return json;
    }

    /** Returns a dimension. The score is null if the dimension was not evaluated. */
    private static ObjectNode dimension(boolean evaluated, double score, int weight) {
        return Json.object()
                .put("score", evaluated ? Decimals.rounded(score, DECIMALS) : null)
                .put("weight", weight);
    }

    private static void putShare(ObjectNode json, String field, boolean evaluated, double share) {
        json.put(field, evaluated ? Decimals.share(share) : null);
    }

    /** Puts failures by type, and executions by reporter. */
    private static void putCounts(ObjectNode json, OutcomeCounts counts) {
        ObjectNode errors = json.putObject("errors");
        for (ErrorType type : ErrorType.values()) {
            errors.put(type.wireName(), counts.get(type.counter()));
        }
        json.set("samples", HealthJson.samples(counts));
    }

    private static void put(ObjectNode json, String field, OptionalDouble number, int decimals) {
        json.put(field, number.isPresent() ? Decimals.rounded(number.getAsDouble(), decimals) : null);
    }
}
