package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Clock;
import java.util.List;

/** Renders the records of agents for callers. Thread-safe. */
public final class AgentRecords {

    private final LeaseStore leases;
    private final ProbeStore probes;
    private final Declarations declarations;
    private final Clock clock;

    /** The separate address of heartbeats; empty if the API receives them. */
    private final String heartbeatOrigin;

    public AgentRecords(Wiring wiring, Database database) {
        this.leases = new LeaseStore(database);
        this.probes = new ProbeStore(database);
        this.declarations = new Declarations(database);
        this.clock = wiring.clock();
        this.heartbeatOrigin = wiring.origin(FunctionSettings.HEARTBEAT_URL);
    }

    /** Returns the full record. */
    public ObjectNode json(StoredAgent agent) {
        ObjectNode json = AgentRecordJson.full(agent, unleasedTasks(agent));
        boolean watched = agent.profile().asked().isWatched();
        ProbeState found = watched ? probes.find(agent.pulse().agentId()) : ProbeState.NONE;
        WatchFields.put(json, found, clock.instant());
        json.set(Declarations.DECLARATION, declarations.json(agent));
        return heartbeatOrigin.isEmpty()
                ? json
                : json.put(
                        AgentRecordJson.HEARTBEAT_URL,
                        heartbeatOrigin + "/api/v1/agents/" + agent.pulse().agentId() + "/heartbeat");
    }

    /** Returns the tasks without a lease. Reads the leases only if the agent reports tasks. */
    private List<String> unleasedTasks(StoredAgent agent) {
        Pulse pulse = agent.pulse();
        boolean mayHold = !agent.tasks().isEmpty() && LeaseRule.mayHold(pulse.status());
        return LeaseRule.unleased(agent.tasks(), mayHold ? leases.inForce(pulse, clock.instant()) : List.of());
    }
}
