package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.storage.AgentStore;
import dev.agenthealth.functions.storage.PulseStore;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.Pulse;

/**
 * Keeps the list of an agent's tasks, written only when it changed. The digest on the pulse advances after the list: a crash in
 * between writes the same list once more. Thread-safe.
 */
final class TaskLists {

    private final AgentStore agents;
    private final PulseStore pulses;

    TaskLists(AgentStore agents, PulseStore pulses) {
        this.agents = agents;
        this.pulses = pulses;
    }

    /** Stores the list that came with a heartbeat, where one came and it is not the one stored. */
    void keep(Pulse pulse, Heartbeat heartbeat) {
        if (!heartbeat.reportsTasks()) {
            return;
        }
        long digest = TaskDigest.of(heartbeat.tasks());
        if (digest != pulse.workload().taskDigest()) {
            agents.storeTasks(pulse.agentId(), pulse.incarnation(), heartbeat.tasks());
            pulses.noteTasks(pulse, digest, heartbeat.tasks().size());
        }
    }
}
