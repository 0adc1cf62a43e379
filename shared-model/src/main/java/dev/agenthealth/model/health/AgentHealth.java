package dev.agenthealth.model.health;

import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import java.time.Instant;

/**
 * The health of one agent as it was last computed.
 *
 * <p>It is computed when an outcome arrives, a slice leaves its window, or the agent's profile or lifecycle status changes, and holds until
 * then. Only the lifecycle status may be newer where it is read: {@link #statusUnder} takes it into account.
 *
 * @param agentId the agent
 * @param computedAt when it was computed
 * @param subject what health documents show beside the outcomes
 * @param measurement the figures of the outcomes
 * @param lifecycle the lifecycle status at that moment
 * @param lastHealthyAt the last moment at which the status was healthy, {@code computedAt} where it is; {@link Instant#MIN} where it never was
 * @param publishedStatus the health status that subscribers know
 * @param lastKnownPublished the last published status other than unknown; {@link HealthStatus#UNKNOWN} where there was none
 * @param publishedScore the score state that subscribers know
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

    /** The health status when it was computed. */
    public HealthStatus status() {
        return measurement.status(lifecycle);
    }

    /** The health status under a lifecycle status that may be newer. */
    public HealthStatus statusUnder(LifecycleStatus newer) {
        return measurement.status(newer);
    }

    /** Returns whether the status follows from the lifecycle status alone: by its outcomes, the agent would have another one. */
    public boolean isByLifecycle() {
        return status() != statusUnder(LifecycleStatus.ACTIVE);
    }

    /** The score. */
    public HealthScore score() {
        return measurement.score();
    }

    /** The change from the published status to this one. */
    public Published.Change statusChange() {
        return status().changeFrom(publishedStatus.value(), lastKnownPublished);
    }

    /** The change from the published state of the score to this one; an inactive agent counts as one without failures. */
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

    /** Returns whether the status, the lifecycle status or the state of the score differ from those of an earlier computation. */
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
     * Returns this health without figures, because they are overdue: the status is unknown.
     *
     * @param healthyAt the last moment at which the status was healthy
     */
    AgentHealth unmeasured(Instant healthyAt) {
        Measurement nothing = new Measurement(
                measurement.expectations(), OutcomeCounts.NONE, 0, 0, 0, 0, measurement.observedHours());
        return with(subject, nothing, healthyAt, publishedStatus, lastKnownPublished, publishedScore);
    }

    /** Returns the health of an agent that is deregistered as subscribers get to know it: nothing is measured any more. */
    public AgentHealth ended() {
        return unmeasured(lastHealthyAt);
    }

    /** Returns whether subscribers know the status or the state of the score as a bad one. */
    public boolean isPublishedAsBad() {
        HealthStatus known = publishedStatus.value();
        return known == HealthStatus.DEGRADED
                || known == HealthStatus.UNHEALTHY
                || publishedScore.value().severity() > 0;
    }

    /** Returns this health once a status is published. */
    public AgentHealth withPublished(HealthStatus current, Instant at) {
        HealthStatus known = current == HealthStatus.UNKNOWN ? lastKnownPublished : current;
        return with(subject, measurement, lastHealthyAt, publishedStatus.published(current, at), known, publishedScore);
    }

    /** Returns this health once a state of the score is published. */
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
