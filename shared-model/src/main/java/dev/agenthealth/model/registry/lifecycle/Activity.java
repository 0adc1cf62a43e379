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
 * @param repeated the repetition of calls in the last heartbeat
 * @param inSpans the repetition of calls in spans, which counts also if no task is known to run
 */
public record Activity(Phase phase, Instant reportedAt, Instant spanEndedAt, Repetition repeated, Repetition inSpans) {

    /** The value if no span counts as progress. */
    public static final Instant NO_SPAN = Instant.EPOCH;

    /** The activity of an agent without a known running task. */
    public static final Activity NONE = new Activity(Phase.OTHER, Instant.MAX);

    /** Creates an activity without spans. */
    public Activity(Phase phase, Instant reportedAt) {
        this(phase, reportedAt, NO_SPAN, Repetition.NONE, Repetition.NONE);
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
        Repetition spans = inSpans.bounded(maxAhead, now);
        if (!isRunning()) {
            return withRepetitionInSpans(spans);
        }
        Activity bounded = new Activity(
                phase,
                ClockRule.bounded(reportedAt, maxAhead, now),
                ClockRule.bounded(spanEndedAt, maxAhead, now),
                repeated.bounded(maxAhead, now),
                spans);
        return bounded.equals(this) ? this : bounded;
    }

    /** Returns this activity with the spans of an earlier activity; without the end of a span if no task runs. */
    Activity withSpansOf(Activity earlier) {
        return new Activity(phase, reportedAt, isRunning() ? earlier.spanEndedAt : NO_SPAN, repeated, earlier.inSpans);
    }

    /** Returns this activity with another repetition in spans. */
    public Activity withRepetitionInSpans(Repetition other) {
        return other.equals(inSpans) ? this : new Activity(phase, reportedAt, spanEndedAt, repeated, other);
    }
}
