package dev.agenthealth.functions.registry.leases;

import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.TurnRule;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Marks leases as expired and publishes the events. Thread-safe.
 *
 * <p>The registry refuses a lease from its expiry on, whether it is marked or not. Its expiry does not change the holder's status (RFC-0016
 * §9.1).
 */
public final class LeaseExpiry {

    /** The maximum number of leases per round from each of the four partitions. Owners take turns within a round. */
    private static final int MAX_A_ROUND = 100;

    private final LeaseStore leases;

    public LeaseExpiry(LeaseStore leases) {
        this.leases = leases;
    }

    /**
     * Marks the leases that expired by {@code now}, as long as there is time. The next pass continues.
     *
     * @param timeLeft whether there is time for one more transaction
     * @return the number of marked leases
     */
    public long note(Instant now, BooleanSupplier timeLeft) {
        return note(now, timeLeft, () -> leases.expired(now, MAX_A_ROUND));
    }

    /** Marks the leases that end later than a lease can, because a clock ran ahead. Returns the number of marked leases. */
    public long noteAhead(Instant now, BooleanSupplier timeLeft) {
        return note(now, timeLeft, () -> leases.ahead(now, MAX_A_ROUND));
    }

    private long note(Instant now, BooleanSupplier timeLeft, Supplier<List<Lease>> due) {
        long noted = 0;
        long before = -1;
        // If a round marks no lease, another sweep works too or the index is stale. The next pass continues.
        while (noted > before && timeLeft.getAsBoolean()) {
            before = noted;
            List<Lease> expired = TurnRule.inTurns(
                    due.get().stream()
                            .filter(lease -> lease.status() == LeaseStatus.ACTIVE)
                            .toList(),
                    lease -> OwnerCounts.numberOf(lease.owner()));
            for (int from = 0; from < expired.size() && timeLeft.getAsBoolean(); from += LeaseStore.MAX_ENDED_AT_ONCE) {
                noted += end(expired.subList(from, Math.min(expired.size(), from + LeaseStore.MAX_ENDED_AT_ONCE)), now);
            }
        }
        return noted;
    }

    /** Returns the number of leases that this call ended. */
    private long end(List<Lease> expired, Instant now) {
        List<Lease> ended = expired.stream()
                .map(lease -> lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, now))
                .toList();
        if (leases.end(expired, ended)) {
            return expired.size();
        }
        // Another writer changed one of the leases meanwhile. End them one by one.
        long noted = 0;
        for (int i = 0; i < expired.size(); i++) {
            noted += leases.end(expired.subList(i, i + 1), ended.subList(i, i + 1)) ? 1 : 0;
        }
        return noted;
    }
}
