package dev.agenthealth.functions.ping;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.model.event.RunResult;
import java.util.function.Predicate;

/** Publishes that the last run of an agent failed, and that this is over. Thread-safe. */
final class LastRun {

    private final AgentStore agents;

    LastRun(AgentStore agents) {
        this.agents = agents;
    }

    /**
     * Records the end of a run of an agent that is neither dead nor deregistered; without a request to write where it is known.
     *
     * @param exitCode how the run ended; empty where the ping does not say
     */
    void record(String agentId, RunResult result, String exitCode) {
        Attempts.untilDone(() -> agents.find(agentId)
                .filter(Predicate.not(
                        agent -> agent.archived() || agent.pulse().status().isGone()))
                .filter(agent -> agent.pulse().runFailed() != result.isFailure())
                .map(agent -> agents.changeRun(agent, result, exitCode))
                .orElse(true));
    }
}
