package dev.agenthealth.model.census;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.score.ScoreState;

/**
 * What is counted of a fleet. Figures are stored by their place in this list: a new one comes at the end, and none is ever taken out.
 */
public enum Figure {
    /** Agents by lifecycle status. */
    ACTIVE,
    DRAINING,
    SILENT,
    DEAD,
    DEREGISTERED,
    /** Live agents by health status. */
    HEALTH_HEALTHY,
    HEALTH_DEGRADED,
    HEALTH_UNHEALTHY,
    HEALTH_UNKNOWN,
    /** Live agents by score state. */
    SCORE_HEALTHY,
    SCORE_DEGRADED,
    SCORE_UNHEALTHY,
    SCORE_INACTIVE,
    /** The sum of the scores of the live agents that have one, in hundredths of a point. */
    SCORE_HUNDREDTHS,
    /** Agents by verdict, those that are deregistered left out. */
    VERDICT_OK,
    VERDICT_UNKNOWN,
    VERDICT_DEGRADED,
    VERDICT_DOWN,
    VERDICT_BLOCKED;

    /**
     * Agents in this lifecycle status.
     *
     * @throws IllegalArgumentException for registering, which no row ever says
     */
    public static Figure of(LifecycleStatus status) {
        return switch (status) {
            case REGISTERING -> throw new IllegalArgumentException("registering is never stored");
            case ACTIVE -> ACTIVE;
            case DRAINING -> DRAINING;
            case UNHEALTHY -> SILENT;
            case DEAD -> DEAD;
            case DEREGISTERED -> DEREGISTERED;
        };
    }

    /** Agents of this health status. */
    public static Figure of(HealthStatus status) {
        return switch (status) {
            case HEALTHY -> HEALTH_HEALTHY;
            case DEGRADED -> HEALTH_DEGRADED;
            case UNHEALTHY -> HEALTH_UNHEALTHY;
            case UNKNOWN -> HEALTH_UNKNOWN;
        };
    }

    /** Agents of this score state. */
    public static Figure of(ScoreState state) {
        return switch (state) {
            case HEALTHY -> SCORE_HEALTHY;
            case DEGRADED -> SCORE_DEGRADED;
            case UNHEALTHY -> SCORE_UNHEALTHY;
            case INACTIVE -> SCORE_INACTIVE;
        };
    }

    /** Agents with this verdict. */
    public static Figure of(Verdict verdict) {
        return switch (verdict) {
            case OK -> VERDICT_OK;
            case UNKNOWN -> VERDICT_UNKNOWN;
            case DEGRADED -> VERDICT_DEGRADED;
            case DOWN -> VERDICT_DOWN;
            case BLOCKED -> VERDICT_BLOCKED;
        };
    }
}
