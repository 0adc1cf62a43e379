package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.SharedUsage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The action of a shared limit on single agents: a block, the end of a block, or a command. For one pass; not thread-safe. */
final class SharedLimitAct {

    private final AgentStore agents;
    private final BlockStore blocks;
    private final SharedUsage used;
    private final OnExceeded action;
    private final Instant now;

    SharedLimitAct(AgentStore agents, BlockStore blocks, SharedUsage used, OnExceeded action, Instant now) {
        this.agents = agents;
        this.blocks = blocks;
        this.used = used;
        this.action = action;
        this.now = now;
    }

    /** Returns the agent to continue after if all agents were reached. Agents that register later are blocked, too. */
    String end() {
        return action == OnExceeded.BLOCK ? "" : SharedUsage.ALL;
    }

    /** Acts on agents. Returns {@code false} if the time was over before the last agent. */
    boolean on(List<String> members, BooleanSupplier timeLeft) {
        boolean blocking = used.lifting() || action == OnExceeded.BLOCK;
        Map<OfAgent, Block> seen =
                blocking ? blocks.of(members.stream().map(OfAgent::new).toList()) : Map.of();
        for (String agentId : members) {
            Optional<Block> decided = blocking ? decision(seen.get(new OfAgent(agentId))) : Optional.empty();
            if (blocking && decided.isEmpty()) {
                continue;
            }
            if (!timeLeft.getAsBoolean()) {
                return false;
            }
            // If the agent changed meanwhile, its block is left to the next pass, or to its own end.
            agents.find(agentId)
                    .filter(StoredAgent::hasProfile)
                    .ifPresent(agent -> decided.ifPresentOrElse(
                            block ->
                                    blocks.decide(agent.pulse(), agent.profile().roleId(), agent.archived(), block),
                            () -> command(agent.pulse())));
        }
        return true;
    }

    private Optional<Block> decision(Block seen) {
        if (used.lifting()) {
            boolean isOfHolder = seen.limit()
                    .filter(limit -> limit.holder().equals(used.holder().name()))
                    .isPresent();
            return isOfHolder ? seen.unblocked(PendingDrain.REGISTRY, now) : Optional.empty();
        }
        // The registry does not repeat a block that a person lifted in this hour or on this day.
        boolean lifted = seen.isUnblockedByPerson() && !seen.at().isBefore(used.since());
        return seen.inForce() || lifted
                ? Optional.empty()
                : seen.blocked(used.reason().text(used.state()), used.state().until(), PendingDrain.REGISTRY, now);
    }

    private void command(Pulse pulse) {
        PendingDrain command = PendingDrain.ofLimit(
                used.state().limit(), pulse.coordination().drainTimeout(), action == OnExceeded.RESTART);
        PendingDrain seen = pulse.coordination().pendingDrain();
        // The command of an earlier action gives way.
        Pulse free = seen.isOfLimit() ? pulse.withPendingDrain(PendingDrain.NONE) : pulse;
        if (free.mayBeAskedToDrain() && !command.equals(seen)) {
            agents.putPendingDrain(pulse, command);
        }
    }
}
