package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * A stall that was published and is not over.
 *
 * @param level the worst published level; {@link StallLevel#NONE} without a stall
 * @param phase the phase of the task
 * @param since the moment from which the agent counts as stalled
 * @param releasesLeases whether the agent's leases have yet to be ended because of the stall
 * @param shared whether the stall was published as a part of the problem of a model provider, and has no problem of its own
 */
public record PublishedStall(StallLevel level, Phase phase, Instant since, boolean releasesLeases, boolean shared) {

    /** The value if no stall was published, or the stall is over. */
    public static final PublishedStall NONE =
            new PublishedStall(StallLevel.NONE, Phase.OTHER, Instant.EPOCH, false, false);

    /** Returns whether a published stall is not over. */
    public boolean isOpen() {
        return level != StallLevel.NONE;
    }

    /** Returns the stall after its leases ended. */
    public PublishedStall withoutLeases() {
        return new PublishedStall(level, phase, since, false, shared);
    }
}
