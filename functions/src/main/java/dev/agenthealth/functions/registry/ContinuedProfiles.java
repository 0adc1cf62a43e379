package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Determines what an id that is registered again keeps of its previous profile: its history, its measurement basis and its declared model. An
 * erased id has no profile, and it keeps its block. Thread-safe.
 */
final class ContinuedProfiles {

    private final BlockStore blocks;
    private final StopStore stops;
    private final BlockedProviders blockedProviders;
    private final DeclarationStore declarations;
    private final ErasureStore erasures;

    ContinuedProfiles(BlockStore blocks, StopStore stops, DeclarationStore declarations, ErasureStore erasures) {
        this.blocks = blocks;
        this.stops = stops;
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
     */
    record Continued(AgentProfile profile, DeclarationChange model, Optional<Block> block, Optional<Stop> stop) {}

    /**
     * Returns the profile after the previous one.
     *
     * @param declared the declared profile with its provider
     * @param ownerKeyId the id of the key that owns the agent from now on
     * @throws ApiError 403 if the previous provider is blocked; 409 during the erasure of the id
     */
    Continued of(RegistrationRequest request, StoredAgent previous, AgentProfile declared, String ownerKeyId) {
        String agentId = previous.pulse().agentId();
        List<StopScope> scopes = StopScope.covering(agentId, declared.roleId(), ownerKeyId);
        if (!previous.hasProfile()) {
            refuseWhileErased(agentId);
            BlockStore.Blocks decided = blocks.of(agentId, Set.of(), scopes);
            return new Continued(declared, DeclarationChange.NONE, Optional.of(decided.ofAgent()), decided.stop());
        }
        AgentProfile before = previous.profile();
        blockedProviders.checkMayLeave(request.sender().caller(), before, declared);
        AgentProfile profile = request.declared()
                .keeping(before.basis(), declared)
                .succeeding(before, request.isOfSameProcess(previous.pulse()), request.now());
        DeclarationChange model = declarations.ofModel(
                agentId, before.basis().model(), profile.basis().model(), request.now());
        return new Continued(profile, model, Optional.empty(), stops.first(scopes));
    }

    /** Refuses a registration during the erasure of the id, which could delete new items together with the old ones. */
    private void refuseWhileErased(String agentId) {
        if (erasures.find(agentId).filter(erasure -> !erasure.done()).isPresent()) {
            throw ApiError.conflict("agent_being_erased", "Agent '" + agentId + "' is being erased.");
        }
    }
}
