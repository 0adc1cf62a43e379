package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.Evaluation;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;

/**
 * An agent's health at one moment.
 *
 * @param at when it was computed
 * @param score the score; empty if the agent was inactive
 * @param state the state of the score
 * @param status the health status
 * @param lifecycle the lifecycle status
 * @param measured what was measured in the window
 */
public record HistoryPoint(
        Instant at,
        Optional<BigDecimal> score,
        ScoreState state,
        HealthStatus status,
        LifecycleStatus lifecycle,
        Measured measured) {

    /**
     * The executions in a window.
     *
     * @param responseRatio share of successes, 0 without samples
     * @param latencyP50Ms median latency in milliseconds, 0 without latencies
     * @param latencyP99Ms 99th percentile of the latencies in milliseconds, 0 without latencies
     * @param samples executions in the window
     * @param quality average quality from 0 to 1; {@link Evaluation#NO_QUALITY} without evaluations
     */
    public record Measured(
            double responseRatio, double latencyP50Ms, double latencyP99Ms, long samples, double quality) {}
}
