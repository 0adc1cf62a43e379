package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The activity of an agent by its last heartbeat: the activity of the running task that is longest without progress.
 *
 * @param phase the phase of the task
 * @param reportedAt the last progress by the heartbeat, on the server's clock; {@link Instant#MAX} if no task runs
 * @param spanEndedAt the end of the last span that counts as progress; {@link #NO_SPAN} without one
 */
public record Activity(Phase phase, Instant reportedAt, Instant spanEndedAt) {

    /** The value if no span counts as progress. */
    public static final Instant NO_SPAN = Instant.EPOCH;

    /** The activity of an agent without a known running task. */
    public static final Activity NONE = new Activity(Phase.OTHER, Instant.MAX);

    /** Creates an activity without spans. */
    public Activity(Phase phase, Instant reportedAt) {
        this(phase, reportedAt, NO_SPAN);
    }

    /** Returns whether a task runs. */
    public boolean isRunning() {
        return reportedAt.isBefore(Instant.MAX);
    }

    /** Returns the last progress, reported or shown by a span; {@link Instant#MAX} if no task runs. */
    public Instant lastProgressAt() {
        return spanEndedAt.isAfter(reportedAt) ? spanEndedAt : reportedAt;
    }

    /** Returns this activity without progress times in the future. */
    Activity bounded(Duration maxAhead, Instant now) {
        return isRunning()
                ? new Activity(
                        phase,
                        ClockRule.bounded(reportedAt, maxAhead, now),
                        ClockRule.bounded(spanEndedAt, maxAhead, now))
                : this;
    }

    /** Returns this activity with the spans of an earlier activity; without spans if no task runs. */
    Activity withSpansOf(Activity earlier) {
        return isRunning() ? new Activity(phase, reportedAt, earlier.spanEndedAt) : this;
    }
}
