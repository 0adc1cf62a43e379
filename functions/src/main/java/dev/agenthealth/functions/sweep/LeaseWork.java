package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.registry.leases.LeaseExpiry;
import dev.agenthealth.functions.storage.leases.LeaseCountStore;
import dev.agenthealth.model.registry.lease.LeaseCounts;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Marks leases as expired in every pass, and counts live leases once a minute. Thread-safe. */
final class LeaseWork {

    private static final int SECONDS_PER_MINUTE = 60;

    private final LeaseExpiry expiry;
    private final LeaseCountStore counts;

    private long countedMinute = Long.MIN_VALUE;
    /** True while a count of leases may be stored; at first as well, because an earlier process may have stored a count. */
    private boolean isStored = true;

    LeaseWork(LeaseExpiry expiry, LeaseCountStore counts) {
        this.expiry = expiry;
        this.counts = counts;
    }

    /**
     * Marks expired leases, and counts live leases if a minute has passed.
     *
     * @param now the start of the pass
     * @return the number of leases that were marked as expired
     */
    synchronized long run(Instant now, BooleanSupplier timeLeft) {
        long expired = expiry.note(now, timeLeft);
        long minute = Math.floorDiv(now.getEpochSecond(), SECONDS_PER_MINUTE);
        if (minute != countedMinute) {
            LeaseCounts counted = counts.count(now);
            // A fleet without leases needs no write.
            if (counted.inAll() > 0 || isStored || expired > 0) {
                counts.put(counted);
            }
            isStored = counted.inAll() > 0;
            countedMinute = minute;
        }
        return expired;
    }
}
