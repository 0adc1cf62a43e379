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
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
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
     * @throws ApiError 403 if the previous provider is blocked, or the agent leaves a stopped role; 409 during the erasure of the id
     */
    Continued of(RegistrationRequest request, StoredAgent previous, AgentProfile declared, String ownerKeyId) {
        String agentId = previous.pulse().agentId();
        long roleNumber = request.coordination().roleNumber();
        if (!previous.hasProfile()) {
            refuseWhileErased(agentId);
            BlockStore.Blocks decided = blocks.of(agentId, Set.of());
            return new Continued(
                    declared,
                    DeclarationChange.NONE,
                    Optional.of(decided.ofAgent()),
                    decided.stops().of(agentId, roleNumber, ownerKeyId));
        }
        AgentProfile before = previous.profile();
        blockedProviders.checkMayLeave(request.sender().caller(), before, declared);
        Stops inForce = stops.stops();
        checkMayLeaveRole(request, previous.pulse(), inForce);
        AgentProfile profile = request.declared()
                .keeping(before.basis(), declared)
                .succeeding(before, request.isOfSameProcess(previous.pulse()), request.now());
        DeclarationChange model = declarations.ofModel(
                agentId, before.basis().model(), profile.basis().model(), request.now());
        return new Continued(profile, model, Optional.empty(), inForce.of(agentId, roleNumber, ownerKeyId));
    }

    /** Refuses another role while the role of the agent is stopped. Otherwise a process could leave the stop by a new registration. */
    private static void checkMayLeaveRole(RegistrationRequest request, Pulse previous, Stops inForce) {
        long role = previous.coordination().roleNumber();
        Optional<Stop> stop = inForce.ofRole(role);
        if (stop.isPresent()
                && role != request.coordination().roleNumber()
                && !request.sender().caller().isAdministrator()) {
            throw ApiError.stopped("Agent '" + previous.agentId()
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
