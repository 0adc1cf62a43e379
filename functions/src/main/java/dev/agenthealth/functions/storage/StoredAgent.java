package dev.agenthealth.functions.storage;

import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.List;

/**
 * All that the registry holds about an agent's lifecycle.
 *
 * @param pulse its life signs, from its row or from its tombstone
 * @param profile what it says it is, with metadata
 * @param tasks the ids of the tasks it said were in progress, as far as stored
 * @param buried whether the pulse comes from a tombstone
 */
public record StoredAgent(Pulse pulse, AgentProfile profile, List<String> tasks, boolean buried) {

    public StoredAgent {
        tasks = List.copyOf(tasks);
    }
}
