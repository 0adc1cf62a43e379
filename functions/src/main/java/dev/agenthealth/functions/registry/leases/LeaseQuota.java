package dev.agenthealth.functions.registry.leases;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.leases.LeaseCountStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseCounts;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.RecentCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Limits the live leases of one agent, of one key, and of all agents. Thread-safe.
 *
 * <p>The limit uses the last count of the sweep, plus the grants and minus the ends of this process since then. On one machine the number
 * is exact, except for leases that expired since the last count. With several processes, each process adds only its own grants.
 */
public final class LeaseQuota {

    /** The age up to which a count is used without looking for a newer one. */
    private static final Duration MAX_AGE = Duration.ofSeconds(10);

    /** The interval at which the sweep counts. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(60);

    /** The time for which grants count without a newer count. The sweep stores no count while there are no leases. */
    private static final Duration MAX_UNCOUNTED = Duration.ofMinutes(5);

    private final LeaseStore leases;
    private final LeaseCountStore counts;
    private final CachedConfiguration configuration;
    private final Clock clock;

    private LeaseCounts counted = LeaseCounts.NONE;
    private Instant readUntil = Instant.MIN;

    /** Leases that this process granted since the last count. */
    private final RecentCounts granted = new RecentCounts();

    /** Leases of the last count that this process ended since. */
    private final RecentCounts ended = new RecentCounts();

    public LeaseQuota(Database database, Clock clock) {
        this.leases = new LeaseStore(database);
        this.counts = new LeaseCountStore(database);
        this.configuration = new CachedConfiguration(database);
        this.clock = clock;
    }

    /**
     * Checks that an agent may acquire one more lease.
     *
     * @throws ApiError 429 if the agent, its key or all agents have as many live leases as allowed
     */
    void check(Pulse holder) {
        LeaseLimits limits = configuration.current().configuration().leases();
        long ofKey = ofOwner(holder.owner());
        // An agent has at most as many leases as its key, so most grants need no look at the agent's leases.
        if (ofKey >= limits.perAgent() && leases.liveOf(holder.agentId(), limits.perAgent()) >= limits.perAgent()) {
            throw refused("Agent '" + holder.agentId() + "' has", limits.perAgent());
        }
        if (ofKey >= limits.perKey()) {
            throw refused("The agents of this key have", limits.perKey());
        }
        if (inAll() >= limits.inAll()) {
            throw refused("All agents together have", limits.inAll());
        }
    }

    private static ApiError refused(String who, int max) {
        return ApiError.leaseQuotaReached(
                who + " " + max + " live leases or more. Release leases, or retry after the next count.", RETRY_AFTER);
    }

    /** Counts a lease that this process granted. */
    synchronized void granted(Lease lease) {
        move(lease, ended, granted);
    }

    /** Counts leases that this process ended. */
    synchronized void ended(List<Lease> leases) {
        leases.forEach(lease -> move(lease, granted, ended));
    }

    /** Adds a lease to the counts of its last change, unless that change cancels an earlier change. An owner has at most one live lease of a scope. */
    private void move(Lease lease, RecentCounts from, RecentCounts to) {
        String scope = lease.intentId() + ' ' + lease.scope();
        if (!from.remove(lease.owner(), scope)) {
            to.add(lease.owner(), scope, clock.instant());
        }
    }

    private long ofOwner(Owner owner) {
        refresh();
        synchronized (this) {
            return Math.max(0, counted.of(OwnerCounts.numberOf(owner)) + granted.of(owner) - ended.of(owner));
        }
    }

    private long inAll() {
        refresh();
        synchronized (this) {
            return Math.max(0, counted.inAll() + granted.all() - ended.all());
        }
    }

    /** Reads the last count if the present one is old. No thread waits for another thread's read. */
    private void refresh() {
        Instant now = clock.instant();
        synchronized (this) {
            if (now.isBefore(readUntil)) {
                return;
            }
            readUntil = now.plus(MAX_AGE);
        }
        LeaseCounts last = counts.last();
        // Keeps the second of the count: a lease that is counted twice is refused too early, but a lease is never
        // missed.
        Instant oldest = now.minus(MAX_UNCOUNTED);
        Instant from = last.at().isAfter(oldest) ? last.at() : oldest;
        synchronized (this) {
            counted = last;
            granted.forgetBefore(from);
            ended.forgetBefore(from);
        }
    }
}
