package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.functions.storage.agents.TaskStore;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.Pulse;

/** Stores the task lists of agents, and what agents wait for, when they change. Thread-safe. */
final class TaskLists {

    private final TaskStore tasks;

    TaskLists(TaskStore tasks) {
        this.tasks = tasks;
    }

    /** Stores the text that says what a waiting agent waits for, if it differs from the stored text. */
    void keepWaitsFor(Pulse pulse, Heartbeat heartbeat) {
        String text = heartbeat.activity().waitsFor();
        if (heartbeat.activity().phase() == Phase.HUMAN
                && text.hashCode() != pulse.personWait().forHash()) {
            tasks.storeWaitsFor(pulse, text.hashCode(), text);
        }
    }

    /** Stores the list in a heartbeat, if it has one that differs from the stored list. */
    void keep(Pulse pulse, Heartbeat heartbeat) {
        if (!heartbeat.reportsTasks()) {
            return;
        }
        long hash = TaskListHash.of(heartbeat.tasks());
        if (hash != pulse.workload().taskListHash()) {
            // If the agent registered again meanwhile, its next heartbeat has the list of the new incarnation.
            tasks.storeTasks(pulse, hash, heartbeat.tasks());
        }
    }
}
