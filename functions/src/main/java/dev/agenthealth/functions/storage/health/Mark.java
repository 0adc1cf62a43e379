package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.window.Slice;
import java.util.Set;

/**
 * Why an agent's health is to be computed again.
 *
 * @param agentId the agent
 * @param number rises with every reason; a computation that began with one number does not settle a later one
 * @param late slices that changed although they may have been read for the last time, as the version before told of them
 */
public record Mark(String agentId, long number, Set<Slice> late) {

    public Mark {
        late = Set.copyOf(late);
    }
}
