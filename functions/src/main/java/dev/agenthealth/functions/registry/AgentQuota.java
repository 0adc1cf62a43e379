package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.RecentCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Limits the live agents, the rows and the watched agents of each key, by the count of the last pass of the sweep. Thread-safe.
 *
 * <p>The registrations of this process since that count are limited too. Until the next count, a key registers at most as many agents as it may
 * have.
 */
final class AgentQuota {

    /** The time between two passes, and the minute for which the configuration is cached. */
    private static final Duration UNCOUNTED = Duration.ofMinutes(2);

    private final CachedConfiguration settings;
    private final Clock clock;

    /** First registrations of agents. */
    private final RecentCounts registered = new RecentCounts();

    AgentQuota(CachedConfiguration settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Checks that an owner may register one more agent.
     *
     * @throws ApiError 403 if the owner has the maximum number of live agents or rows, or the agent is watched and the owner has the maximum
     *     number of watched agents
     */
    void check(Owner owner, AgentProfile profile) {
        ConfigurationStore.Stored current = settings.current();
        int max = current.configuration().get(RuntimeSettings.MAX_AGENTS_PER_KEY);
        if (current.isAtQuota(owner) || lately(owner) >= max) {
            throw ApiError.quotaReached(max);
        }
        checkWatch(current, owner, profile);
    }

    /** Notes that an owner registered an agent for the first time. */
    synchronized void registered(Owner owner) {
        registered.add(owner, 1, clock.instant());
    }

    private synchronized long lately(Owner owner) {
        registered.forgetBefore(clock.instant().minus(UNCOUNTED).plusSeconds(1));
        return registered.of(OwnerCounts.numberOf(owner));
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
            throw ApiError.watchQuotaReached(current.configuration().get(RuntimeSettings.MAX_WATCHED_AGENTS_PER_KEY));
        }
    }
}
