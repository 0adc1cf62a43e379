package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Instant;
import java.util.Optional;

/**
 * One change of an agent's lifecycle status: written as one transaction together with its event, or not at all.
 *
 * @param before the pulse as it was read; the write happens only if it is still like that
 * @param after the pulse as it becomes
 * @param reason why
 * @param dueAt the moment the threshold or deadline passed; equal to {@code detectedAt} where there was none
 * @param detectedAt the moment it was seen, which is the event's timestamp; never before the status that the change ends
 */
public record Transition(Pulse before, Pulse after, LifecycleReason reason, Instant dueAt, Instant detectedAt) {

    /** A clock that went back, or one that is slower than another, makes no status begin before the one that it ends. */
    public Transition {
        Instant moment = notBefore(before, detectedAt);
        dueAt = dueAt.equals(detectedAt) ? moment : dueAt;
        detectedAt = moment;
    }

    /** The later of this moment and the one at which the status of a pulse began, unless that lies further ahead than the clocks of two instances differ. */
    static Instant notBefore(Pulse pulse, Instant moment) {
        Instant since = ClockRule.bounded(pulse.statusSince(), HeartbeatRule.MAX_DIFFERENCE, moment);
        return moment.isAfter(since) ? moment : since;
    }

    /** A change that happens at the moment of the request. */
    public static Transition now(Pulse before, Pulse after, LifecycleReason reason, Instant now) {
        return new Transition(before, after, reason, now, now);
    }

    /** The drain that this change begins or ends; {@link Drain#NONE} for any other change. */
    public Drain drain() {
        return switch (reason) {
            case DRAIN_INITIATED -> after.drain();
            case DRAIN_COMPLETED, DRAIN_TIMEOUT -> before.drain();
            case REGISTERED, RE_REGISTERED, HEARTBEAT_TIMEOUT, HEARTBEAT_RESUMED, DEREGISTERED -> Drain.NONE;
        };
    }

    /** Returns whether the agent is unhealthy or dead because nothing showed that it lives. */
    public boolean isOfSilence() {
        return reason == LifecycleReason.HEARTBEAT_TIMEOUT;
    }

    /** The run of a schedule that did not come, where this change is due to that. */
    public Optional<Instant> expectedAt() {
        if (!isOfSilence()) {
            return Optional.empty();
        }
        int beyond = after.status() == LifecycleStatus.DEAD ? before.config().deadAfterSeconds() : 0;
        return before.config().lifeSigns().schedule().map(schedule -> dueAt.minusSeconds(beyond)
                .minus(schedule.grace()));
    }

    /** Returns whether the agent is deregistered because it registers again in the same moment. */
    public boolean isReplacement() {
        return reason == LifecycleReason.DEREGISTERED && after.cleanUp().restarted() == after.incarnation();
    }

    /** Returns whether the agent is dead because its drain timed out (RFC-0016 §5.2), which is an event of its own. */
    public boolean isDrainTimeout() {
        return reason == LifecycleReason.DRAIN_TIMEOUT && after.status() == LifecycleStatus.DEAD;
    }
}
