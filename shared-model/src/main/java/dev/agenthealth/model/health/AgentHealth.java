package dev.agenthealth.model.health;

import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import java.time.Instant;

/**
 * The health of one agent as it was last computed.
 *
 * <p>Health is computed again when an outcome arrives, when a slice leaves the window, and when the agent's profile or lifecycle status changes.
 * Only the lifecycle status can be newer at the time of a read: {@link #statusUnder} applies the newer one.
 *
 * @param agentId the agent
 * @param computedAt the time of the computation
 * @param subject the part of a health document that does not follow from outcomes
 * @param measurement the figures of the outcomes
 * @param lifecycle the lifecycle status at that moment
 * @param lastHealthyAt the last moment at which the status was healthy: {@code computedAt} if it is healthy, {@link Instant#MIN} if it never was
 * @param publishedStatus the last published health status
 * @param lastKnownPublished the last published status other than unknown; {@link HealthStatus#UNKNOWN} before the first such event
 * @param publishedScore the last published score state
 */
public record AgentHealth(
        String agentId,
        Instant computedAt,
        HealthSubject subject,
        Measurement measurement,
        LifecycleStatus lifecycle,
        Instant lastHealthyAt,
        Published<HealthStatus> publishedStatus,
        HealthStatus lastKnownPublished,
        Published<ScoreState> publishedScore) {

    /** Returns the health status at the time of the computation. */
    public HealthStatus status() {
        return measurement.status(lifecycle);
    }

    /** Returns the health status for a lifecycle status that may be newer than the computation. */
    public HealthStatus statusUnder(LifecycleStatus newer) {
        return measurement.status(newer);
    }

    /** Returns whether the lifecycle status alone decides the health status. The outcomes alone would lead to another one. */
    public boolean isByLifecycle() {
        return status() != statusUnder(LifecycleStatus.ACTIVE);
    }

    public HealthScore score() {
        return measurement.score();
    }

    /** Returns the change from the published status to this one. */
    public Published.Change statusChange() {
        return status().changeFrom(publishedStatus.value(), lastKnownPublished);
    }

    /** Returns the change from the published score state to the current one. An inactive agent counts as an agent without failures. */
    public Published.Change scoreChange() {
        ScoreState current = score().state();
        ScoreState published = publishedScore.value();
        if (current == published) {
            return Published.Change.NONE;
        }
        int worse = current.severity() - published.severity();
        if (current == ScoreState.INACTIVE || worse == 0) {
            return Published.Change.OTHER;
        }
        return worse > 0 ? Published.Change.FALL : Published.Change.RETURN;
    }

    /** Returns whether the status, the lifecycle status or the score state differ from an earlier computation. */
    public boolean differsFrom(AgentHealth earlier) {
        return status() != earlier.status()
                || lifecycle != earlier.lifecycle
                || score().state() != earlier.score().state();
    }

    /** Returns whether the status was ever healthy. */
    public boolean wasEverHealthy() {
        return lastHealthyAt.isAfter(Instant.MIN);
    }

    /** Returns this health with the agent's current declarations. */
    public AgentHealth about(HealthSubject newer) {
        return with(newer, measurement, lastHealthyAt, publishedStatus, lastKnownPublished, publishedScore);
    }

    /**
     * Returns this health without figures and with an unknown status, because its computation is overdue.
     *
     * @param healthyAt the last moment at which the status was healthy
     */
    AgentHealth unmeasured(Instant healthyAt) {
        Measurement nothing = new Measurement(
                measurement.expectations(), OutcomeCounts.NONE, 0, 0, 0, 0, measurement.observedHours());
        return with(subject, nothing, healthyAt, publishedStatus, lastKnownPublished, publishedScore);
    }

    /** Returns the final health of a deregistered agent, as it is published: without any figures. */
    public AgentHealth ended() {
        return unmeasured(lastHealthyAt);
    }

    /** Returns whether the published status or the published score state is a bad one. */
    public boolean isPublishedAsBad() {
        HealthStatus known = publishedStatus.value();
        return known == HealthStatus.DEGRADED
                || known == HealthStatus.UNHEALTHY
                || publishedScore.value().severity() > 0;
    }

    /** Returns this health after its status is published. */
    public AgentHealth withPublished(HealthStatus current, Instant at) {
        HealthStatus known = current == HealthStatus.UNKNOWN ? lastKnownPublished : current;
        return with(subject, measurement, lastHealthyAt, publishedStatus.published(current, at), known, publishedScore);
    }

    /** Returns this health after its score state is published. */
    public AgentHealth withPublished(ScoreState current, Instant at) {
        return with(
                subject,
                measurement,
                lastHealthyAt,
                publishedStatus,
                lastKnownPublished,
                publishedScore.published(current, at));
    }

    private AgentHealth with(
            HealthSubject newSubject,
            Measurement newMeasurement,
            Instant newLastHealthyAt,
            Published<HealthStatus> newStatus,
            HealthStatus newLastKnown,
            Published<ScoreState> newScore) {
        return new AgentHealth(
                agentId,
                computedAt,
                newSubject,
                newMeasurement,
                lifecycle,
                newLastHealthyAt,
                newStatus,
                newLastKnown,
                newScore);
    }
}
