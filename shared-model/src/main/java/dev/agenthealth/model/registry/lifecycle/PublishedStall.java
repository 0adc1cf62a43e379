package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The stall of an agent that was published and is not over.
 *
 * @param level the worst level that was published; {@link StallLevel#NONE} where none is open
 * @param phase what the task waited for
 * @param since when the agent was stalled by what it declares
 * @param releasesLeases whether leases are still to be ended for it
 */
public record PublishedStall(StallLevel level, Phase phase, Instant since, boolean releasesLeases) {

    /** No stall was published, or it is over. */
    public static final PublishedStall NONE = new PublishedStall(StallLevel.NONE, Phase.OTHER, Instant.EPOCH, false);

    /** Returns whether a stall was published and is not over. */
    public boolean isOpen() {
        return level != StallLevel.NONE;
    }

    /** Returns the stall after its leases ended. */
    public PublishedStall withoutLeases() {
        return new PublishedStall(level, phase, since, false);
    }
}
