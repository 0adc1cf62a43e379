package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import dev.agenthealth.model.sweep.RecentCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Limits the live agents, the rows and the watched agents of each key, by the count of the last pass of the sweep. Thread-safe.
 *
 * <p>The agents that this process registered or began to watch since that count are limited too. Until the next count, a key gets at most as many
 * of them as it may have in all.
 */
final class AgentQuota {

    /** The time between two passes, and the minute for which the configuration is cached. */
    private static final Duration UNCOUNTED = Duration.ofMinutes(2);

    private final CachedConfiguration settings;
    private final Clock clock;

    /** First registrations of agents. */
    private final RecentCounts registered = new RecentCounts();

    /** Agents that became watched. */
    private final RecentCounts watched = new RecentCounts();

    private AgentQuota(CachedConfiguration settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Returns the quota that all services of this process share. */
    static AgentQuota in(Wiring wiring, Database database) {
        return wiring.process()
                .shared(AgentQuota.class, () -> new AgentQuota(new CachedConfiguration(database), wiring.clock()));
    }

    /** Returns the configuration that the quota reads, so that a registration reads it once a minute. */
    CachedConfiguration settings() {
        return settings;
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
        if (current.isAtQuota(owner) || lately(registered, owner, profile) >= max) {
            throw AgentError.quotaReached(max);
        }
        checkWatch(current, owner, profile);
    }

    /** Counts an agent that an owner registered for the first time. */
    synchronized void registered(Owner owner, AgentProfile profile) {
        registered.add(owner, profile.agentId(), clock.instant());
        if (profile.watch().isWatched()) {
            watched.add(owner, profile.agentId(), clock.instant());
        }
    }

    private synchronized long lately(RecentCounts counts, Owner owner, AgentProfile profile) {
        counts.forgetBefore(clock.instant().minus(UNCOUNTED).plusSeconds(1));
        return counts.others(owner, profile.agentId());
    }

    /**
     * Checks that an owner may change the profile of an agent.
     *
     * @throws ApiError 403 if the agent becomes watched and the owner has the maximum number of watched agents
     */
    void check(Owner owner, StoredAgent before, AgentProfile profile, Instant now) {
        if (becomesWatched(before, profile, now)) {
            checkWatch(settings.current(), owner, profile);
        }
    }

    /** Counts the agent of a changed profile if it became watched. */
    synchronized void changed(Owner owner, StoredAgent before, AgentProfile profile, Instant now) {
        if (becomesWatched(before, profile, now)) {
            watched.add(owner, profile.agentId(), clock.instant());
        }
    }

    private static boolean becomesWatched(StoredAgent before, AgentProfile profile, Instant now) {
        int watchSeconds = before.profile().watch().intervalSeconds();
        return profile.watch().isWatched() && !ProbeSchedule.isProbed(before.pulse(), watchSeconds, now);
    }

    private void checkWatch(ConfigurationStore.Stored current, Owner owner, AgentProfile profile) {
        int max = current.configuration().get(RuntimeSettings.MAX_WATCHED_AGENTS_PER_KEY);
        if (profile.watch().isWatched() && (current.isAtWatchQuota(owner) || lately(watched, owner, profile) >= max)) {
            throw AgentError.watchQuotaReached(max);
        }
    }
}
