package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.registry.lifecycle.LimitCommandRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.usage.UsageLimit;
import java.util.Optional;

/**
 * Determines what an id that is registered again keeps of its previous profile: its history, its measurement basis and its declared model. An
 * erased id has no profile, and it keeps its block. Thread-safe.
 */
final class ContinuedProfiles {

    private final BlockStore blocks;
    private final BlockedProviders blockedProviders;
    private final DeclarationStore declarations;
    private final ErasureStore erasures;

    ContinuedProfiles(BlockStore blocks, DeclarationStore declarations, ErasureStore erasures) {
        this.blocks = blocks;
        this.blockedProviders = new BlockedProviders(blocks);
        this.declarations = declarations;
        this.erasures = erasures;
    }

    /**
     * The profile of an id that is registered again.
     *
     * @param model the change of the declared model
     * @param block the block of an erased id, which its row does not hold; empty for other ids
     * @param stop the stop that covers the agent; empty if it is not stopped
     * @param usedUp the used up limit that asks the agent to drain; empty if no limit does
     */
    record Continued(
            AgentProfile profile,
            DeclarationChange model,
            Optional<Block> block,
            Optional<Stop> stop,
            Optional<UsageLimit> usedUp) {}

    /**
     * Returns the profile after the previous one.
     *
     * @param declared the declared profile with its provider
     * @param ownerKeyId the id of the key that owns the agent from now on
     * @param found the stored state that was read with the previous agent
     * @throws ApiError 403 if the previous provider is blocked, or the agent leaves a stopped role; 409 during the erasure of the id
     */
    Continued of(
            RegistrationRequest request,
            StoredAgent previous,
            AgentProfile declared,
            String ownerKeyId,
            RegistrationLookup.Found found) {
        String agentId = previous.pulse().agentId();
        long roleNumber = request.coordination().roleNumber();
        BlockStore.Blocks decided = found.decided(blocks, agentId, request.limitHolders(ownerKeyId));
        Stops inForce = decided.stops();
        Optional<Stop> stop = inForce.of(agentId, roleNumber, ownerKeyId);
        Optional<UsageLimit> shared = decided.shared().asking(roleNumber, ownerKeyId, request.now());
        if (!previous.hasProfile()) {
            refuseWhileErased(agentId);
            return new Continued(declared, DeclarationChange.NONE, Optional.of(decided.ofAgent()), stop, shared);
        }
        AgentProfile before = previous.profile();
        blockedProviders.checkMayLeave(request.sender().caller(), before, declared);
        checkMayLeaveRole(request, previous.pulse(), inForce);
        AgentProfile profile = request.declared()
                .keeping(before.basis(), declared)
                .succeeding(before, request.isOfSameProcess(previous.pulse()), request.now());
        DeclarationChange model = declarations.ofModel(
                agentId, before.basis().model(), profile.basis().model(), request.now());
        Optional<UsageLimit> own = LimitCommandRule.atRegistration(
                previous.pulse(), profile.basis().expectations().limits(), request.now());
        return new Continued(profile, model, Optional.empty(), stop, own.or(() -> shared));
    }

    /** Refuses another role while the role of the agent is stopped. Otherwise a process could leave the stop by a new registration. */
    private static void checkMayLeaveRole(RegistrationRequest request, Pulse previous, Stops inForce) {
        long role = previous.coordination().roleNumber();
        Optional<Stop> stop = inForce.ofRole(role);
        if (stop.isPresent()
                && role != request.coordination().roleNumber()
                && !request.sender().caller().isAdministrator()) {
            throw AgentError.stopped("Agent '" + previous.agentId()
                            + "' keeps its role until an administrator lifts the stop of the role.")
                    .with("stop_reason", stop.get().reason());
        }
    }

    /** Refuses a registration during the erasure of the id, which could delete new items together with the old ones. */
    private void refuseWhileErased(String agentId) {
        if (erasures.find(agentId).filter(erasure -> !erasure.done()).isPresent()) {
            throw ApiError.conflict("agent_being_erased", "Agent '" + agentId + "' is being erased.");
        }
    }
}
