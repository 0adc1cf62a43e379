package dev.agenthealth.functions.leases;

import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import dev.agenthealth.model.lease.LeaseStatus;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Notes that leases ran out, with their events. Only bookkeeping: a lease is refused from the moment of its expiry on, noted or not, and its
 * holder's lifecycle is not touched (RFC-0016 §9.1). Thread-safe.
 */
public final class LeaseExpiry {

    private static final int MAX_A_ROUND = 100;

    private final LeaseStore leases;

    public LeaseExpiry(LeaseStore leases) {
        this.leases = leases;
    }

    /**
     * Notes all leases that ran out by {@code now}.
     *
     * @param timeLeft whether there is time for another round
     * @return how many were noted
     */
    public long note(Instant now, BooleanSupplier timeLeft) {
        long noted = 0;
        long before = -1;
        // A round that notes nothing was overtaken by another sweep, or reads an index that lags: the next pass looks
        // again.
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
