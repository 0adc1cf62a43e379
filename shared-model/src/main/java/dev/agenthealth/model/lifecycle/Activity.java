package dev.agenthealth.model.lifecycle;

import java.time.Instant;

/**
 * The activity of an agent by its last heartbeat: that of the running task which is longest without progress.
 *
 * @param phase what the task waits for
 * @param lastProgressAt its last progress by the server's clock; {@link Instant#MAX} where no task runs
 */
public record Activity(Phase phase, Instant lastProgressAt) {

    /** No task runs, as far as the registry knows. */
    public static final Activity NONE = new Activity(Phase.OTHER, Instant.MAX);

    /** Returns whether a task runs. */
    public boolean isRunning() {
        return lastProgressAt.isBefore(Instant.MAX);
    }
}
