package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The activity of an agent by its last heartbeat: that of the running task which is longest without progress.
 *
 * @param phase what the task waits for
 * @param reportedAt its last progress as the heartbeat says, by the server's clock; {@link Instant#MAX} where no task runs
 * @param spanEndedAt when the last span ended that counts as progress; {@link #NO_SPAN} for none
 */
public record Activity(Phase phase, Instant reportedAt, Instant spanEndedAt) {

    /** No span counts as progress. */
    public static final Instant NO_SPAN = Instant.EPOCH;

    /** No task runs, as far as the registry knows. */
    public static final Activity NONE = new Activity(Phase.OTHER, Instant.MAX);

    /** An activity without spans. */
    public Activity(Phase phase, Instant reportedAt) {
        this(phase, reportedAt, NO_SPAN);
    }

    /** Returns whether a task runs. */
    public boolean isRunning() {
        return reportedAt.isBefore(Instant.MAX);
    }

    /** Returns the last progress, reported or by a span; {@link Instant#MAX} where no task runs. */
    public Instant lastProgressAt() {
        return spanEndedAt.isAfter(reportedAt) ? spanEndedAt : reportedAt;
    }

    /** Returns the activity without progress that lies ahead of now. */
    Activity bounded(Duration maxAhead, Instant now) {
        return isRunning()
                ? new Activity(
                        phase,
                        ClockRule.bounded(reportedAt, maxAhead, now),
                        ClockRule.bounded(spanEndedAt, maxAhead, now))
                : this;
    }

    /** Returns this activity with the spans of an earlier one; without them where no task runs. */
    Activity withSpansOf(Activity earlier) {
        return isRunning() ? new Activity(phase, reportedAt, earlier.spanEndedAt) : this;
    }
}
