package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * The activity in a heartbeat: the activity of the running task that is longest without progress. It has an age instead of a time, since the clocks
 * of agent and registry differ.
 *
 * @param phase the phase of the task
 * @param noProgress the age of the last progress, at least zero; {@link #NO_TASK} if no task runs; {@link #UNKNOWN_AGE} if the heartbeat does not say it
 * @param waitsFor what the task needs of a person, in the agent's words; empty if the agent does not say it
 * @param repeats the number of repetitions of the last calls
 * @param tool the repeated tool, {@linkplain Repetition#shown shortened}; empty if the agent does not name it
 */
public record ReportedActivity(Phase phase, Duration noProgress, String waitsFor, int repeats, String tool) {

    private static final Duration NO_TASK = Duration.ofSeconds(-1);

    /** The age of an activity without a valid age. It counts as progress now, unless the activity goes on with an earlier wait. */
    public static final Duration UNKNOWN_AGE = Duration.ZERO.minusNanos(1);

    /** The value if no task runs, or the agent does not report its activity. */
    public static final ReportedActivity NONE = new ReportedActivity(Phase.OTHER, NO_TASK);

    /** Creates an activity without repeated calls. */
    public ReportedActivity(Phase phase, Duration noProgress, String waitsFor) {
        this(phase, noProgress, waitsFor, 0, "");
    }

    /** Creates an activity without repeated calls that waits for nothing in particular. */
    public ReportedActivity(Phase phase, Duration noProgress) {
        this(phase, noProgress, "", 0, "");
    }

    /** Returns the activity on the server's clock, for a heartbeat that arrives now. */
    public Activity at(Instant now) {
        if (noProgress.equals(NO_TASK)) {
            return Activity.NONE;
        }
        Duration age = noProgress.isNegative() ? Duration.ZERO : noProgress;
        boolean beforeEpoch = age.compareTo(Duration.between(Instant.EPOCH, now)) > 0;
        Instant progressAt = beforeEpoch ? Instant.EPOCH : now.minus(age);
        return repeats == 0
                ? new Activity(phase, progressAt)
                : new Activity(
                        phase,
                        progressAt,
                        Activity.NO_SPAN,
                        new Repetition(repeats, tool, progressAt, progressAt),
                        Repetition.NONE);
    }

    /** Returns whether this is a wait for a person whose age the heartbeat does not say. */
    public boolean isWaitOfUnknownAge() {
        return phase == Phase.HUMAN && noProgress.equals(UNKNOWN_AGE);
    }

    /**
     * Returns this wait of an unknown age with the age of the wait in the last heartbeat, if both have the same text.
     *
     * @param last the pulse after the last heartbeat
     */
    public ReportedActivity continuing(Pulse last, Instant now) {
        Instant since = last.activity().reportedAt();
        boolean same = WaitingRule.isByActivity(last) && last.personWait().forHash() == waitsFor.hashCode();
        return same && since.isBefore(now)
                ? new ReportedActivity(phase, Duration.between(since, now), waitsFor, repeats, tool)
                : this;
    }
}
