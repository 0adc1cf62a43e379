package dev.agenthealth.model.health;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.score.HealthScore;
import dev.agenthealth.model.score.ScoreState;
import java.time.Instant;

/**
 * The health of one agent as it was last computed.
 *
 * <p>It is computed again whenever an outcome arrives, a slice leaves its window, or the agent's profile or lifecycle status changes; until
 * then it holds. Only the lifecycle status may be newer where it is read: {@link #statusUnder} takes it into account.
 *
 * @param agentId the agent
 * @param computedAt when it was computed
 * @param subject what the documents say beside the outcomes
 * @param measurement what the outcomes say
 * @param lifecycle the lifecycle status at that moment
 * @param lastHealthyAt the last moment at which the status was healthy, {@code computedAt} where it is; {@link Instant#MIN} where it never was
 * @param healthTold the health status that subscribers know
 * @param lastKnownTold the last status told that was not unknown; {@link HealthStatus#UNKNOWN} where there was none
 * @param scoreTold the score state that subscribers know
 */
public record AgentHealth(
        String agentId,
        Instant computedAt,
        HealthSubject subject,
        Measurement measurement,
        LifecycleStatus lifecycle,
        Instant lastHealthyAt,
        Announcement<HealthStatus> healthTold,
        HealthStatus lastKnownTold,
        Announcement<ScoreState> scoreTold) {

    /** The health status when it was computed. */
    public HealthStatus status() {
        return measurement.status(lifecycle);
    }

    /** The health status under a lifecycle status that may be newer. */
    public HealthStatus statusUnder(LifecycleStatus newer) {
        return measurement.status(newer);
    }

    /** The score. */
    public HealthScore score() {
        return measurement.score();
    }

    /** Whether the status was ever healthy. */
    public boolean wasEverHealthy() {
        return lastHealthyAt.isAfter(Instant.MIN);
    }

    /** The same health of an agent that says something else of itself by now. */
    public AgentHealth about(HealthSubject newer) {
        return new AgentHealth(
                agentId,
                computedAt,
                newer,
                measurement,
                lifecycle,
                lastHealthyAt,
                healthTold,
                lastKnownTold,
                scoreTold);
    }

    /**
     * The same health without its figures, once they hold no more: the status is unknown then.
     *
     * @param healthyAt the last moment at which the status was healthy
     */
    AgentHealth unmeasured(Instant healthyAt) {
        return new AgentHealth(
                agentId,
                computedAt,
                subject,
                new Measurement(
                        measurement.expectations(), OutcomeCounts.NONE, 0, 0, 0, 0, measurement.observedHours()),
                lifecycle,
                healthyAt,
                healthTold,
                lastKnownTold,
                scoreTold);
    }

    /** The same health once subscribers know its status. */
    public AgentHealth withStatusTold(Instant at) {
        return new AgentHealth(
                agentId,
                computedAt,
                subject,
                measurement,
                lifecycle,
                lastHealthyAt,
                new Announcement<>(status(), at),
                status() == HealthStatus.UNKNOWN ? lastKnownTold : status(),
                scoreTold);
    }

    /** The same health once subscribers know the state of its score. */
    public AgentHealth withScoreTold(Instant at) {
        return new AgentHealth(
                agentId,
                computedAt,
                subject,
                measurement,
                lifecycle,
                lastHealthyAt,
                healthTold,
                lastKnownTold,
                new Announcement<>(score().state(), at));
    }
}
