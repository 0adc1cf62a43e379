package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import java.time.Instant;

/**
 * Limits the live agents and the watched agents of each key, by the count of the last pass of the sweep. Thread-safe.
 *
 * <p>A key may therefore exceed its quota for a while: by the agents that it registers between two passes, and during the minute for which
 * the configuration is cached.
 */
final class AgentQuota {

    private final CachedConfiguration settings;

    AgentQuota(CachedConfiguration settings) {
        this.settings = settings;
    }

    /**
     * Checks that an owner may register one more agent.
     *
     * @throws ApiError 403 if the owner has the maximum number of live agents, or the agent is watched and the owner has the maximum number
     *     of watched agents
     */
    void check(Owner owner, AgentProfile profile) {
        ConfigurationStore.Stored current = settings.current();
        if (current.isAtQuota(owner)) {
            throw ApiError.quotaReached(current.configuration().maxAgentsPerKey());
        }
        checkWatch(current, owner, profile);
    }

    /**
     * Checks that an owner may change the profile of an agent.
     *
     * @throws ApiError 403 if the agent is watched, was not probed before, and the owner has the maximum number of watched agents
     */
    void check(Owner owner, StoredAgent before, AgentProfile profile, Instant now) {
        int watchSeconds = before.profile().watch().intervalSeconds();
        if (profile.watch().isWatched() && !ProbeSchedule.isProbed(before.pulse(), watchSeconds, now)) {
            checkWatch(settings.current(), owner, profile);
        }
    }

    private static void checkWatch(ConfigurationStore.Stored current, Owner owner, AgentProfile profile) {
        if (profile.watch().isWatched() && current.isAtWatchQuota(owner)) {
            throw ApiError.watchQuotaReached(current.configuration().maxWatchedAgentsPerKey());
        }
    }
}
