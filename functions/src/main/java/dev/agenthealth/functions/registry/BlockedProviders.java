package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import java.util.List;

/**
 * Keeps the agents of a blocked provider with it: naming another one would be a way around the block (ServiceNet, Blocking and unblocking).
 * Thread-safe.
 */
final class BlockedProviders {

    private final BlockStore blocks;

    BlockedProviders(BlockStore blocks) {
        this.blocks = blocks;
    }

    /**
     * Checks that this caller may have an agent say that it is another provider's. Nothing is read where it says the same as before.
     *
     * @throws Problem 403 where the provider that it named before is blocked, for all but administrators
     */
    void checkMayLeave(Caller caller, AgentProfile before, AgentProfile after) {
        if (before.providerId().isEmpty()
                || before.providerId().equals(after.providerId())
                || caller.isAdministrator()) {
            return;
        }
        OfProvider provider = new OfProvider(before.providerId());
        if (blocks.of(List.of(provider)).get(provider).inForce()) {
            throw Problem.forbidden("The provider '" + provider.id()
                    + "' is blocked; only an administrator may have its agents name another one.");
        }
    }
}
