package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of an agent's lifecycle status, such as from active to unhealthy. Rules return a transition when a change is due, and the store applies
 * it. The rules themselves write nothing.
 *
 * <p>A transition has the complete pulse before and after the change. The store writes the new pulse and the {@code agent.lifecycle} event in one
 * transaction. The transaction succeeds only if the stored pulse still equals {@code before}. If anything happened in between, such as a heartbeat,
 * nothing is written, and the rule decides again with the new pulse. So every change has exactly one event, and no change is based on an outdated
 * pulse.
 *
 * <p>A change has two times. {@code dueAt} says when the threshold or the deadline passed. {@code detectedAt} says when the registry saw it, and
 * becomes the timestamp of the event. The difference is the delay of the detection. For example, a threshold may pass at 12:00:05, and the sweep
 * detects it at 12:00:30.
 *
 * @param before the pulse as it was read
 * @param after the pulse after the change
 * @param reason the reason for the change
 * @param dueAt the moment at which the threshold or the deadline passed; equal to {@code detectedAt} if there was none
 * @param detectedAt the moment of the detection, never before the beginning of the status in {@code before}
 */
public record Transition(Pulse before, Pulse after, LifecycleReason reason, Instant dueAt, Instant detectedAt) {

    /** Ensures that no status begins before the status that it replaces, even if a clock went back or is behind. */
    public Transition {
        Instant moment = notBefore(before, detectedAt);
        dueAt = dueAt.equals(detectedAt) ? moment : dueAt;
        detectedAt = moment;
    }

    /** Returns a moment, but not before the beginning of the pulse's status. A beginning further ahead than two clocks may differ does not count. */
    static Instant notBefore(Pulse pulse, Instant moment) {
        Instant since = ClockRule.bounded(pulse.statusSince(), HeartbeatRule.MAX_DIFFERENCE, moment);
        return moment.isAfter(since) ? moment : since;
    }

    /** Returns a change that happens at the moment of the request. */
    public static Transition now(Pulse before, Pulse after, LifecycleReason reason, Instant now) {
        return new Transition(before, after, reason, now, now);
    }

    /** Returns the drain that this change begins or ends; {@link Drain#NONE} for any other change. */
    public Drain drain() {
        return switch (reason) {
            case DRAIN_INITIATED -> after.drain();
            case DRAIN_COMPLETED, DRAIN_TIMEOUT -> before.drain();
            case REGISTERED, RE_REGISTERED, HEARTBEAT_TIMEOUT, HEARTBEAT_RESUMED, DEREGISTERED -> Drain.NONE;
        };
    }

    /** Returns whether the agent is unhealthy or dead because of missing signs of life. */
    public boolean isOfSilence() {
        return reason == LifecycleReason.HEARTBEAT_TIMEOUT;
    }

    /** Returns the missed run of a schedule that caused this change; empty for any other cause. */
    public Optional<Instant> expectedAt() {
        if (!isOfSilence()) {
            return Optional.empty();
        }
        int beyond = after.status() == LifecycleStatus.DEAD ? before.config().deadAfterSeconds() : 0;
        return before.config().lifeSigns().schedule().map(schedule -> dueAt.minusSeconds(beyond)
                .minus(schedule.grace()));
    }

    /** Returns whether the agent is deregistered because its id registers again at the same moment. */
    public boolean isReplacement() {
        return reason == LifecycleReason.DEREGISTERED && after.cleanUp().restarted() == after.incarnation();
    }

    /** Returns whether the agent is dead because its drain timed out (RFC-0016 §5.2), which has a separate event. */
    public boolean isDrainTimeout() {
        return reason == LifecycleReason.DRAIN_TIMEOUT && after.status() == LifecycleStatus.DEAD;
    }
}
