package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * A loop that was published and is not over.
 *
 * @param level the worst published level; {@link StallLevel#NONE} without a loop
 * @param repeats the number of repetitions at the last event
 * @param tool the repeated tool; empty for a model, or if the name is unknown
 * @param since the first repeated call
 * @param releasesLeases whether the agent's leases have yet to be ended because of the loop
 * @param shared whether the loop was published as a part of the problem of a model provider, and has no problem of its own
 */
public record PublishedLoop(
        StallLevel level, int repeats, String tool, Instant since, boolean releasesLeases, boolean shared) {

    /** The value if no loop was published, or the loop is over. */
    public static final PublishedLoop NONE = new PublishedLoop(StallLevel.NONE, 0, "", Instant.EPOCH, false, false);

    /** Returns whether a published loop is not over. */
    public boolean isOpen() {
        return level != StallLevel.NONE;
    }

    /** Returns the loop after its leases ended. */
    public PublishedLoop withoutLeases() {
        return new PublishedLoop(level, repeats, tool, since, false, shared);
    }
}
