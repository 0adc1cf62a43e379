package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;

/**
 * Prevents agents of a blocked provider from naming another provider, which would circumvent the block (ServiceNet, Blocking and
 * unblocking). Thread-safe.
 */
final class BlockedProviders {

    private final BlockStore blocks;

    BlockedProviders(BlockStore blocks) {
        this.blocks = blocks;
    }

    /**
     * Checks that the caller may change an agent's provider. Reads nothing if the provider stays the same.
     *
     * @throws ApiError 403 if the previous provider is blocked, unless the caller is an administrator
     */
    void checkMayLeave(Caller caller, AgentProfile before, AgentProfile after) {
        if (before.description().providerId().isEmpty()
                || before.description().providerId().equals(after.description().providerId())
                || caller.isAdministrator()) {
            return;
        }
        OfProvider provider = new OfProvider(before.description().providerId());
        if (blocks.of(List.of(provider)).get(provider).inForce()) {
            throw ApiError.forbidden("The provider '" + provider.id()
                    + "' is blocked; only an administrator may have its agents name another one.");
        }
    }
}
