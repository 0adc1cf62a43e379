package dev.agenthealth.functions.registry.leases;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.leases.LeaseCountStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseCounts;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /** Grants and ends of this process since the last count. They are at most as many as the leases that the limits allow. */
    private final Map<Scope, Change> since = new HashMap<>();

    /** A scope as an owner holds it: at most one lease of it is live. */
    private record Scope(String intentId, String name, long owner) {}

    /**
     * A change of the number of leases.
     *
     * @param second seconds since 1970
     * @param number 1 for a grant, -1 for the end of a lease that was counted
     */
    private record Change(long second, int number) {}

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
        long ofKey = ofOwner(OwnerCounts.numberOf(holder.owner()));
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
    void granted(Lease lease) {
        add(lease, 1);
    }

    /** Counts leases that this process ended. */
    void ended(List<Lease> ended) {
        ended.forEach(lease -> add(lease, -1));
    }

    private synchronized void add(Lease lease, int number) {
        Scope scope = new Scope(lease.intentId(), lease.scope(), OwnerCounts.numberOf(lease.owner()));
        Change before = since.get(scope);
        if (before != null && before.number() == -number) {
            since.remove(scope);
        } else {
            since.put(scope, new Change(clock.instant().getEpochSecond(), number));
        }
    }

    private long ofOwner(long owner) {
        refresh();
        synchronized (this) {
            long more = since.entrySet().stream()
                    .filter(change -> change.getKey().owner() == owner)
                    .mapToLong(change -> change.getValue().number())
                    .sum();
            return Math.max(0, counted.of(owner) + more);
        }
    }

    private long inAll() {
        refresh();
        synchronized (this) {
            return Math.max(
                    0,
                    counted.inAll()
                            + since.values().stream().mapToLong(Change::number).sum());
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
        long from = (last.at().isAfter(oldest) ? last.at() : oldest).getEpochSecond();
        synchronized (this) {
            counted = last;
            since.values().removeIf(change -> change.second() < from);
        }
    }
}
