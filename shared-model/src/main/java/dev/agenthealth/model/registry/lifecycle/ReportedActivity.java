package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * The activity in a heartbeat: that of the running task which is longest without progress. An age, since the clocks of agent and registry
 * differ.
 *
 * @param phase what the task waits for
 * @param noProgress the age of its last progress, at least zero; {@link #NO_TASK} where no task runs
 */
public record ReportedActivity(Phase phase, Duration noProgress) {

    private static final Duration NO_TASK = Duration.ofSeconds(-1);

    /** No task runs, or the agent does not report its activity. */
    public static final ReportedActivity NONE = new ReportedActivity(Phase.OTHER, NO_TASK);

    /** Returns the activity by the server's clock, of a heartbeat that arrives now. */
    public Activity at(Instant now) {
        if (noProgress.isNegative()) {
            return Activity.NONE;
        }
        boolean beforeEpoch = noProgress.compareTo(Duration.between(Instant.EPOCH, now)) > 0;
        return new Activity(phase, beforeEpoch ? Instant.EPOCH : now.minus(noProgress));
    }
}
