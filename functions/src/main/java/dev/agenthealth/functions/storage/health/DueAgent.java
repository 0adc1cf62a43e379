package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.window.Slice;
import java.util.Set;

/**
 * An agent whose health is due to be computed.
 *
 * @param agentId the agent
 * @param changed slices to which outcomes were added since they were last read, as far as the index shows them; empty where the reason is another
 */
public record DueAgent(String agentId, Set<Slice> changed) {

    public DueAgent {
        changed = Set.copyOf(changed);
    }
}
