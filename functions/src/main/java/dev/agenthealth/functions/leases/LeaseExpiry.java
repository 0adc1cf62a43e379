package dev.agenthealth.functions.leases;

import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import dev.agenthealth.model.lease.LeaseStatus;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Marks leases as expired and publishes the events. A lease is refused from its expiry on, marked or not, and its expiry does not change the
 * holder's lifecycle (RFC-0016 §9.1). Thread-safe.
 */
public final class LeaseExpiry {

    private static final int MAX_A_ROUND = 100;

    private final LeaseStore leases;

    public LeaseExpiry(LeaseStore leases) {
        this.leases = leases;
    }

    /**
     * Marks all leases that expired by {@code now}.
     *
     * @param timeLeft whether there is time for another round
     * @return the number of marked leases
     */
    public long note(Instant now, BooleanSupplier timeLeft) {
        long noted = 0;
        long before = -1;
        // A round that marks nothing competes with another sweep or reads a stale index: the next pass continues.
        while (noted > before && timeLeft.getAsBoolean()) {
            before = noted;
            for (Lease lease : leases.expired(now, MAX_A_ROUND)) {
                if (lease.status() == LeaseStatus.ACTIVE
                        && leases.end(
                                List.of(lease), List.of(lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, now)))) {
                    noted++;
                }
            }
        }
        return noted;
    }
}
