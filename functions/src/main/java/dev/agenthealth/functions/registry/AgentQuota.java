package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.identity.Owner;

/**
 * Limits the live agents of one key, by the count of the last pass of the sweep: a key may exceed its quota by what it registers within the
 * time between two passes and the minute for which the configuration is cached. Thread-safe.
 */
final class AgentQuota {

    private final CachedConfiguration settings;

    AgentQuota(CachedConfiguration settings) {
        this.settings = settings;
    }

    /**
     * Lets an owner register one more agent.
     *
     * @throws Problem 403 where it has as many live agents as a key may have
     */
    void check(Owner owner) {
        ConfigurationStore.Stored current = settings.current();
        if (current.isAtQuota(owner)) {
            throw Problem.quotaReached(current.configuration().maxAgentsPerKey());
        }
    }
}
