package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A figure of the statistics of a fleet. Figures are stored by their position in this list. Add new figures at the end, and never remove one. */
public enum Statistic {
    /** The first of the numbers of agents by lifecycle status. */
    ACTIVE,
    DRAINING,
    SILENT,
    DEAD,
    DEREGISTERED,
    /** The first of the numbers of live agents by health status. */
    HEALTH_HEALTHY,
    HEALTH_DEGRADED,
    HEALTH_UNHEALTHY,
    HEALTH_UNKNOWN,
    /** The first of the numbers of agents by score state: live agents, and dead agents with executions in their window. */
    SCORE_HEALTHY,
    SCORE_DEGRADED,
    SCORE_UNHEALTHY,
    SCORE_INACTIVE,
    /** The sum of the scores of all agents with a score, in hundredths of a point. */
    SCORE_HUNDREDTHS,
    /** The first of the numbers of agents by verdict, without agents that are gone. */
    VERDICT_OK,
    VERDICT_UNKNOWN,
    VERDICT_DEGRADED,
    VERDICT_DOWN,
    VERDICT_BLOCKED,
    /** The first of the numbers of agents by score, in steps of 5 points; the last step includes 100. Only the whole fleet has these figures. */
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
     * The first of the sums of declared capacities by lifecycle status, and of the loads of agents that declare a capacity. Only roles have these
     * figures.
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
    /** The number of agents without progress for longer than they declare. */
    STALLED,
    /** The number of agents that wait for a person. */
    WAITING,
    /** The number of agents that repeat the same calls at least as often as they declare. */
    LOOPING;

    /** The steps of the score, the lowest step first. */
    public static final List<Statistic> SCORE_STEPS = Arrays.stream(values())
            .filter(figure -> figure.name().startsWith("SCORE_FROM_"))
            .toList();

    private static final Map<LifecycleStatus, Statistic> CAPACITIES = ofPools("_CAPACITY");
    private static final Map<LifecycleStatus, Statistic> LOADS = ofPools("_LOAD");
    private static final int STEP_HUNDREDTHS = 500;

    /**
     * Returns the number of agents in a lifecycle status.
     *
     * @throws IllegalArgumentException for registering, which no row ever has
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

    /** Returns the sum of the declared capacities of all agents in a lifecycle status. */
    static Statistic capacityOf(LifecycleStatus status) {
        return CAPACITIES.get(status);
    }

    /** Returns the sum of the loads of all agents in a lifecycle status that declare a capacity. */
    static Statistic loadOf(LifecycleStatus status) {
        return LOADS.get(status);
    }

    /** Returns the number of agents with a health status. */
    public static Statistic of(HealthStatus status) {
        return switch (status) {
            case HEALTHY -> HEALTH_HEALTHY;
            case DEGRADED -> HEALTH_DEGRADED;
            case UNHEALTHY -> HEALTH_UNHEALTHY;
            case UNKNOWN -> HEALTH_UNKNOWN;
        };
    }

    /** Returns the number of agents with a score state. */
    public static Statistic of(ScoreState state) {
        return switch (state) {
            case HEALTHY -> SCORE_HEALTHY;
            case DEGRADED -> SCORE_DEGRADED;
            case UNHEALTHY -> SCORE_UNHEALTHY;
            case INACTIVE -> SCORE_INACTIVE;
        };
    }

    /** Returns the number of agents in the same step as a score of 0 to 10,000 hundredths of a point. */
    public static Statistic stepOf(int hundredths) {
        return SCORE_STEPS.get(Math.min(hundredths / STEP_HUNDREDTHS, SCORE_STEPS.size() - 1));
    }

    /**
     * Returns the number of agents with a verdict.
     *
     * @throws IllegalArgumentException for gone, which no statistic counts
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
