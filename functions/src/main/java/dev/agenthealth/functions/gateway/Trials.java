package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Containment;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The trial calls of agents that a rule contains (half open). Each call takes one of the rule's trials and reports its result. If all succeed, the
 * agent is unblocked; if one fails, it stays blocked for twice as long. Costs nothing for calls of other agents. Thread-safe.
 */
final class Trials {

    private final AgentStore agents;
    private final BlockStore blocks;
    private final Clock clock;
    private final Log log;

    Trials(Database database, Clock clock, Log log) {
        this.agents = new AgentStore(database);
        this.blocks = new BlockStore(database);
        this.clock = clock;
        this.log = log;
    }

    /**
     * Takes a trial for a call, if the agent is contained.
     *
     * @throws CallFailedException if other calls took all trials
     */
    void begin(Admitted agent) {
        if (!agent.isTrial()) {
            return;
        }
        OptimisticUpdates.untilPresent(agent.block(), () -> read(agent.id()), block -> {
            if (!block.inForce()) {
                return Optional.of(true);
            }
            AdmissionCheck.checkTrial(block, clock.instant());
            return blocks.putTrials(agent.id(), block, block.containment().trying(clock.instant()))
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    /** Gives the trial of a call back, as the agent was not called. */
    void giveBack(Admitted agent) {
        if (agent.isTrial()) {
            decide(agent, Optional.empty());
        }
    }

    /**
     * Records the result of a trial call. A failure that the caller may have caused decides nothing. A failure to record it never fails the call: after
     * {@link Containment#MAX_TRIAL}, another call takes the trial.
     *
     * @param timeout the timeout that the caller set
     */
    void ended(Admitted agent, CallResult result, Duration timeout) {
        if (!agent.isTrial()) {
            return;
        }
        Optional<InvocationFailure> failure = result.failure();
        boolean decides = failure.isEmpty()
                || failure.filter(InvocationFailure::isTheAgents)
                        .filter(found -> !found.mayBeOfCaller(
                                timeout, agent.agent().basis().expectations()))
                        .isPresent();
        try {
            decide(agent, decides ? Optional.of(failure.isEmpty()) : Optional.empty());
        } catch (RuntimeException e) {
            log.failure("trial_not_recorded", agent.id(), e);
        }
    }

    /** @param succeeded whether the call succeeded; empty if it says nothing about the agent */
    private void decide(Admitted agent, Optional<Boolean> succeeded) {
        OptimisticUpdates.untilDone(() -> {
            Block block = read(agent.id());
            if (!block.inForce() || block.revision() != agent.block().revision()) {
                // Another call, or a person, decided meanwhile.
                return true;
            }
            Containment seen = block.containment();
            if (succeeded.isEmpty()) {
                return blocks.putTrials(agent.id(), block, seen.undecided());
            }
            Instant now = clock.instant();
            if (!succeeded.get()) {
                return write(agent.id(), block.contained(block.reason(), seen.failed(now), now));
            }
            Containment after = seen.succeeded();
            return after.isOver()
                    ? write(agent.id(), block.unblocked(seen.actor(), now).orElse(block))
                    : blocks.putTrials(agent.id(), block, after);
        });
    }

    private Block read(String agentId) {
        OfAgent agent = new OfAgent(agentId);
        return blocks.of(List.of(agent)).getOrDefault(agent, Block.NONE);
    }

    private boolean write(String agentId, Block decided) {
        boolean written = agents.find(agentId)
                .map(agent -> blocks.decide(agent.pulse(), agent.profile().roleId(), agent.archived(), decided))
                // The agent was erased.
                .orElse(true);
        if (written) {
            log.info(
                    decided.inForce() ? "containment_extended" : "containment_lifted",
                    Map.of("id", agentId, "by", decided.actor()));
        }
        return written;
    }
}
