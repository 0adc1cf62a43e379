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
 * Limits the live agents of one key, and those that are watched, by the count of the last pass of the sweep: a key may exceed its quota by what it
 * registers within the time between two passes and the minute for which the configuration is cached. Thread-safe.
 */
final class AgentQuota {

    private final CachedConfiguration settings;

    AgentQuota(CachedConfiguration settings) {
        this.settings = settings;
    }

    /**
     * Lets an owner register one more agent.
     *
     * @throws ApiError 403 where it has as many live agents as a key may have, or the agent is watched and it has as many of those
     */
    void check(Owner owner, AgentProfile profile) {
        ConfigurationStore.Stored current = settings.current();
        if (current.isAtQuota(owner)) {
            throw ApiError.quotaReached(current.configuration().maxAgentsPerKey());
        }
        checkWatch(current, owner, profile);
    }

    /**
     * Lets an owner give an agent another profile.
     *
     * @throws ApiError 403 where the agent is watched, was not probed before, and the owner has as many watched agents as a key may have
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
