package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.Pulse;

/** Stores the task lists of agents when they change. Thread-safe. */
final class TaskLists {

    private final AgentStore agents;

    TaskLists(AgentStore agents) {
        this.agents = agents;
    }

    /** Stores the list in a heartbeat, if it has one that differs from the stored list. */
    void keep(Pulse pulse, Heartbeat heartbeat) {
        if (!heartbeat.reportsTasks()) {
            return;
        }
        long hash = TaskListHash.of(heartbeat.tasks());
        if (hash != pulse.workload().taskListHash()) {
            // If the agent registered again meanwhile, its next heartbeat has the list of the new incarnation.
            agents.storeTasks(pulse, hash, heartbeat.tasks());
        }
    }
}
