package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A number that is counted of a fleet. They are stored by their place in this list: a new one comes at the end, and none is removed.
 */
public enum Statistic {
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
    /** Agents by score state: live ones, and dead ones whose window has executions. */
    SCORE_HEALTHY,
    SCORE_DEGRADED,
    SCORE_UNHEALTHY,
    SCORE_INACTIVE,
    /** The sum of the scores of the agents that have one, in hundredths of a point. */
    SCORE_HUNDREDTHS,
    /** Agents by verdict, those that are gone left out. */
    VERDICT_OK,
    VERDICT_UNKNOWN,
    VERDICT_DEGRADED,
    VERDICT_DOWN,
    VERDICT_BLOCKED,
    /** Agents of the whole fleet by score, in steps of 5 points; the last step includes 100. Groups do not have these. */
    SCORE_FROM_0,
    SCORE_FROM_5,
    SCORE_FROM_10,
    SCORE_FROM_15,
    SCORE_FROM_20,
    SCORE_FROM_25,
    SCORE_FROM_30,
    SCORE_FROM_35,
    SCORE_FROM_40,
    SCORE_FROM_45,
    SCORE_FROM_50,
    SCORE_FROM_55,
    SCORE_FROM_60,
    SCORE_FROM_65,
    SCORE_FROM_70,
    SCORE_FROM_75,
    SCORE_FROM_80,
    SCORE_FROM_85,
    SCORE_FROM_90,
    SCORE_FROM_95,
    /**
     * Sums of the declared capacities of a role's agents by lifecycle status, and of the loads of those who declare one. Groups of other kinds and the
     * whole fleet do not have these.
     */
    ACTIVE_CAPACITY,
    ACTIVE_LOAD,
    DRAINING_CAPACITY,
    DRAINING_LOAD,
    SILENT_CAPACITY,
    SILENT_LOAD,
    DEAD_CAPACITY,
    DEAD_LOAD,
    DEREGISTERED_CAPACITY,
    DEREGISTERED_LOAD,
    /** Agents without progress for longer than they declare. */
    STALLED;

    /** The steps of the score, the lowest first. */
    public static final List<Statistic> SCORE_STEPS = Arrays.stream(values())
            .filter(figure -> figure.name().startsWith("SCORE_FROM_"))
            .toList();

    private static final Map<LifecycleStatus, Statistic> CAPACITIES = ofPools("_CAPACITY");
    private static final Map<LifecycleStatus, Statistic> LOADS = ofPools("_LOAD");
    private static final int STEP_HUNDREDTHS = 500;

    /**
     * Agents in this lifecycle status.
     *
     * @throws IllegalArgumentException for registering, which no row ever says
     */
    public static Statistic of(LifecycleStatus status) {
        return switch (status) {
            case REGISTERING -> throw new IllegalArgumentException("registering is never stored");
            case ACTIVE -> ACTIVE;
            case DRAINING -> DRAINING;
            case UNHEALTHY -> SILENT;
            case DEAD -> DEAD;
            case DEREGISTERED -> DEREGISTERED;
        };
    }

    private static Map<LifecycleStatus, Statistic> ofPools(String suffix) {
        Map<LifecycleStatus, Statistic> statistics = new EnumMap<>(LifecycleStatus.class);
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                statistics.put(status, valueOf(of(status).name() + suffix));
            }
        }
        return statistics;
    }

    /** The sum of the declared capacities of agents in this lifecycle status. */
    static Statistic capacityOf(LifecycleStatus status) {
        return CAPACITIES.get(status);
    }

    /** The sum of the loads of agents in this lifecycle status that declare a capacity. */
    static Statistic loadOf(LifecycleStatus status) {
        return LOADS.get(status);
    }

    /** Agents of this health status. */
    public static Statistic of(HealthStatus status) {
        return switch (status) {
            case HEALTHY -> HEALTH_HEALTHY;
            case DEGRADED -> HEALTH_DEGRADED;
            case UNHEALTHY -> HEALTH_UNHEALTHY;
            case UNKNOWN -> HEALTH_UNKNOWN;
        };
    }

    /** Agents of this score state. */
    public static Statistic of(ScoreState state) {
        return switch (state) {
            case HEALTHY -> SCORE_HEALTHY;
            case DEGRADED -> SCORE_DEGRADED;
            case UNHEALTHY -> SCORE_UNHEALTHY;
            case INACTIVE -> SCORE_INACTIVE;
        };
    }

    /** Agents whose score is in the same step as this one of 0 to 10,000 hundredths of a point. */
    public static Statistic stepOf(int hundredths) {
        return SCORE_STEPS.get(Math.min(hundredths / STEP_HUNDREDTHS, SCORE_STEPS.size() - 1));
    }

    /**
     * Agents with this verdict.
     *
     * @throws IllegalArgumentException for gone, which does not count
     */
    public static Statistic of(Verdict verdict) {
        return switch (verdict) {
            case OK -> VERDICT_OK;
            case UNKNOWN -> VERDICT_UNKNOWN;
            case DEGRADED -> VERDICT_DEGRADED;
            case DOWN -> VERDICT_DOWN;
            case BLOCKED -> VERDICT_BLOCKED;
            case GONE -> throw new IllegalArgumentException("agents that are gone are not counted");
        };
    }
}
