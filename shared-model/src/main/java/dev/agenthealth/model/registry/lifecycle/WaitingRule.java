package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.registry.lifecycle.WaitingChange.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether an agent waits for a person, such as for an approval. The agent's heartbeats say so, or a task of A2A that the gateway saw. The wait
 * is no fault: it changes neither the verdict nor the leases.
 */
public final class WaitingRule {

    /** The minimum difference between the beginnings of two waits. Heartbeats report ages in seconds, and may arrive late. */
    static final Duration TOLERANCE = Duration.ofSeconds(10);

    /** The part of a wait by which its reported beginning may move, because the clocks of agent and registry differ in speed. */
    private static final long CLOCK_DRIFT_PART = 1_000;

    private WaitingRule() {}

    /** Returns the beginning of the wait; empty if the agent waits for no person, or is gone. */
    public static Optional<Instant> since(Pulse pulse) {
        Instant byActivity = isByActivity(pulse) ? pulse.activity().reportedAt() : Instant.MAX;
        Instant byTask = pulse.personWait().taskSince();
        Instant first = byActivity.isBefore(byTask) ? byActivity : byTask;
        return first.isBefore(Instant.MAX) && !pulse.status().hasEnded() ? Optional.of(first) : Optional.empty();
    }

    /** Returns whether the last heartbeat says that the agent waits for a person. */
    public static boolean isByActivity(Pulse pulse) {
        return pulse.activity().isRunning() && pulse.activity().phase() == Phase.HUMAN;
    }

    /**
     * Returns the change that is due: the beginning of a wait that takes longer than {@code after}, or the end of a published wait. A later wait ends
     * the published wait, and begins as another wait when its own time has come.
     *
     * @param after the time for which a wait is not published
     */
    public static Optional<WaitingChange> due(Pulse pulse, Duration after, Instant now) {
        Optional<Instant> since = since(pulse);
        boolean published = pulse.publishedWait().isAfter(PublishedFindings.NO_WAIT);
        if (since.isEmpty()) {
            Reason reason = pulse.status().hasEnded() ? Reason.ENDED : Reason.CONTINUED;
            return published
                    ? Optional.of(
                            new WaitingChange(pulse, pulse.withPublishedWait(PublishedFindings.NO_WAIT), reason, now))
                    : Optional.empty();
        }
        if (published) {
            return isAnother(since.get(), pulse.publishedWait(), now)
                    ? Optional.of(new WaitingChange(
                            pulse, pulse.withPublishedWait(PublishedFindings.NO_WAIT), Reason.CONTINUED, now))
                    : Optional.empty();
        }
        return now.isBefore(since.get().plus(after))
                ? Optional.empty()
                : Optional.of(new WaitingChange(pulse, pulse.withPublishedWait(since.get()), Reason.NEEDS_PERSON, now));
    }

    private static boolean isAnother(Instant since, Instant published, Instant now) {
        Duration drift = Duration.between(published, now).dividedBy(CLOCK_DRIFT_PART);
        return since.isAfter(published.plus(TOLERANCE).plus(drift));
    }
}
