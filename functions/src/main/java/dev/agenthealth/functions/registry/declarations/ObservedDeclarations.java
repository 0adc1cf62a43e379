package dev.agenthealth.functions.registry.declarations;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.declaration.DeclaredParts;
import dev.agenthealth.model.registry.declaration.ToolCapabilities;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.ModelInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores observed declarations of agents, and publishes their changes. Stores the tools of MCP servers as their capabilities. Thread-safe.
 */
public final class ObservedDeclarations {

    private final AgentStore agents;
    private final DeclarationStore declarations;
    private final PulseStore pulses;

    public ObservedDeclarations(Database database) {
        this.agents = new AgentStore(database);
        this.declarations = new DeclarationStore(database);
        this.pulses = new PulseStore(database);
    }

    /**
     * Stores an observation. Reads and writes nothing if it equals the last observation and the capabilities match it.
     *
     * @param agent the profile as read, which may be old
     * @param known the digest of the last observation; empty for none
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if all attempts failed
     */
    public void note(AgentProfile agent, String known, Observation seen, Instant now) {
        boolean isNew = !seen.parts().digest().equals(known);
        DeclaredParts before = isNew ? declarations.current(agent.agentId()).present() : seen.parts();
        // Before the other write, because only the stored observation shows which capabilities were tools.
        ToolCapabilities.replacing(agent.agentInterface(), before, seen.parts())
                .ifPresent(ignored -> replaceCapabilities(agent.agentId(), before, seen.parts(), now));
        if (isNew) {
            OptimisticUpdates.untilDone(() -> replace(agent, seen, now));
        }
    }

    /**
     * Stores the models that providers served for requested names, and publishes a change. Writes nothing if they are known.
     *
     * @param agent the agent as read, which may be old
     * @param calls the served models by the requested name
     */
    public void noteServed(StoredAgent agent, Map<String, String> calls, Instant now) {
        if (calls.isEmpty() || isKnown(agent, calls, now)) {
            return;
        }
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredAgent> present = agents.find(agent.pulse().agentId())
                    .filter(found -> !found.pulse().status().hasEnded());
            return present.isEmpty() || isKnown(present.get(), calls, now) || writeServed(present.get(), calls, now);
        });
    }

    private static boolean isKnown(StoredAgent agent, Map<String, String> calls, Instant now) {
        ModelInfo model = agent.profile().basis().model();
        return model.observing(calls, now).equals(model);
    }

    private boolean writeServed(StoredAgent agent, Map<String, String> calls, Instant now) {
        MeasurementBasis basis = agent.profile().basis();
        ModelInfo model = basis.model().observing(calls, now);
        DeclarationChange change = declarations.ofServed(agent.pulse().agentId(), basis.model(), model, now);
        AgentProfile changed =
                agent.profile().with(new MeasurementBasis(model, basis.expectations(), basis.restartedAt()));
        Pulse after =
                change.counted(agent.pulse().reconfigured(changed.heartbeatConfig(), changed.maxConcurrentTasks()));
        return agents.changeProfile(agent, after, changed, change);
    }

    private boolean replace(AgentProfile agent, Observation seen, Instant now) {
        DeclarationState before = declarations.current(agent.agentId());
        DeclarationState after =
                before.observed(seen.kind(), seen.parts(), agent.basis().model(), now);
        Optional<Pulse> pulse =
                pulses.find(agent.agentId()).filter(present -> present.status() != LifecycleStatus.DEREGISTERED);
        return after.equals(before)
                || pulse.isEmpty()
                || declarations.write(pulse.get(), false, agent.roleId(), new DeclarationChange(before, after));
    }

    private void replaceCapabilities(String agentId, DeclaredParts before, DeclaredParts seen, Instant now) {
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredAgent> agent =
                    agents.find(agentId).filter(found -> !found.pulse().status().hasEnded());
            Optional<List<String>> tools = agent.flatMap(
                    found -> ToolCapabilities.replacing(found.profile().agentInterface(), before, seen));
            return tools.isEmpty() || replaceCapabilities(agent.get(), tools.get(), now);
        });
    }

    private boolean replaceCapabilities(StoredAgent agent, List<String> tools, Instant now) {
        AgentInterface declared = agent.profile().agentInterface();
        AgentProfile changed = agent.profile().with(declared.with(tools, now));
        Pulse after = agent.pulse().reconfigured(changed.heartbeatConfig(), changed.maxConcurrentTasks());
        return agents.changeProfile(agent, after, changed, DeclarationChange.NONE);
    }
}
