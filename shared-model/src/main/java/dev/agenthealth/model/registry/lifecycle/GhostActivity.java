package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The activity of an agent that is gone, superseded, blocked or stopped.
 *
 * @param last the last counted activity
 * @param since the first counted activity
 * @param count the number of counted activities
 * @param published whether an event reported the activity
 */
public record GhostActivity(Sighting last, Instant since, long count, boolean published) {

    /** Returns the activity after its event. */
    public GhostActivity asPublished() {
        return new GhostActivity(last, since, count, true);
    }
}
