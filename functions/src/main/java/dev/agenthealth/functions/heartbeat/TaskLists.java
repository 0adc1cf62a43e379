package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.Pulse;

/** Keeps the list of an agent's tasks, written only when it changed. Thread-safe. */
final class TaskLists {

    private final AgentStore agents;

    TaskLists(AgentStore agents) {
        this.agents = agents;
    }

    /** Stores the list that came with a heartbeat, where one came and it is not the one stored. */
    void keep(Pulse pulse, Heartbeat heartbeat) {
        if (!heartbeat.reportsTasks()) {
            return;
        }
        long digest = TaskDigest.of(heartbeat.tasks());
        if (digest != pulse.workload().taskDigest()) {
            // Where the agent registered again meanwhile, its next heartbeat brings the list of the new incarnation.
            agents.storeTasks(pulse, digest, heartbeat.tasks());
        }
    }
}
