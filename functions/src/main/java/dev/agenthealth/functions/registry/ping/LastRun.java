package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.util.function.Predicate;

/** Publishes that the last run of an agent failed, and that a later run ended this failure. Thread-safe. */
final class LastRun {

    private final AgentStore agents;
    private final FindingStore findings;
    private final PingStore addresses;
    private final UpstreamStore upstreams;

    LastRun(AgentStore agents, FindingStore findings, PingStore addresses, UpstreamStore upstreams) {
        this.agents = agents;
        this.findings = findings;
        this.addresses = addresses;
        this.upstreams = upstreams;
    }

    /**
     * Records the end of a run of an agent that is neither dead nor deregistered. Writes nothing if the previous run had the same result.
     * If the ping address ended meanwhile, a failure is not recorded, because no later ping could end it.
     *
     * @param exitCode the exit code of the run; empty if the ping has none
     */
    void record(String agentId, RunResult result, String exitCode) {
        OptimisticUpdates.untilDone(() -> agents.find(agentId)
                .filter(Predicate.not(
                        agent -> agent.archived() || agent.pulse().status().hasEnded()))
                .filter(agent -> agent.pulse().runFailed() != result.isFailure())
                .filter(agent -> result == RunResult.ADDRESS_REVOKED || hasAddress(agent))
                .map(agent -> findings.changeRun(agent, result, exitCode, result.isFailure() && isShared(agentId)))
                .orElse(true));
    }

    /** Returns whether a problem of a model provider concerns the agent. */
    private boolean isShared(String agentId) {
        return upstreams.inForce().of(agentId).isPresent();
    }

    private boolean hasAddress(StoredAgent agent) {
        Pulse pulse = agent.pulse();
        return addresses
                .find(pulse.agentId())
                .filter(address -> address.isOf(pulse.owner()))
                .isPresent();
    }
}
