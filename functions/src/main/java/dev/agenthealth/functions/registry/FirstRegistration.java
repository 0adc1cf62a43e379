package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;

/** Registers ids that are unknown: the agent gets its first incarnation and counts towards the quota of its owner. Thread-safe. */
final class FirstRegistration {

    private final RegistrationOwners owners;
    private final AgentQuota quota;
    private final BlockStore blocks;
    private final RegistrationWrites writes;

    FirstRegistration(RegistrationOwners owners, AgentQuota quota, BlockStore blocks, RegistrationWrites writes) {
        this.owners = owners;
        this.quota = quota;
        this.blocks = blocks;
        this.writes = writes;
    }

    /**
     * Checks the rights of the caller and its number of agents, and writes nothing.
     *
     * @throws ApiError 400 if an administrator names no owner; 403 if the owner has too many agents
     */
    Owner check(RegistrationRequest request) {
        Owner owner = owners.of(request.sender(), Owner.NONE);
        quota.check(owner, request.profile());
        return owner;
    }

    /**
     * Returns the new agent; empty if the id was registered meanwhile.
     *
     * @param found the stored state of the unknown id
     * @throws ApiError as {@link #check}; 403 if the provider is not granted
     */
    Optional<StoredAgent> write(RegistrationRequest request, RegistrationLookup.Found found) {
        Owner owner = check(request);
        AgentProfile profile = owners.withProvider(request.profile(), owner, found);
        BlockStore.Blocks decided = found.decided(blocks, profile.agentId(), request.limitHolders(owner.keyId()));
        Block block = decided.ofAgent();
        Coordination coordination = request.coordination();
        Pulse pulse = RegistrationRule.first(
                        profile.agentId(),
                        profile.heartbeatConfig(),
                        profile.maxConcurrentTasks(),
                        coordination
                                .withBlockedUntil(block.noted())
                                .stoppedBy(decided.stops()
                                        .of(profile.agentId(), coordination.roleNumber(), owner.keyId())
                                        .map(Stop::reason))
                                .limitedBy(decided.shared()
                                        .asking(coordination.roleNumber(), owner.keyId(), request.now())),
                        owner,
                        request.now())
                .withIncarnation(Math.max(1, request.sender().movedIncarnation()))
                .started(request.startedAt());
        StoredAgent registered = StoredAgent.registered(pulse, profile);
        if (!writes.of(request, Optional.empty(), registered)
                .register(Transition.now(pulse, pulse, LifecycleReason.REGISTERED, request.now()), profile, block)) {
            return Optional.empty();
        }
        quota.registered(owner, profile);
        return Optional.of(registered);
    }
}
