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
    /** Until this process knows better: an earlier process may have stored a count. */
    private boolean isStored = true;

    LeaseWork(LeaseExpiry expiry, LeaseCountStore counts) {
        this.expiry = expiry;
        this.counts = counts;
    }

    /**
     * Does the work of a pass that began at {@code now}.
     *
     * @return the number of leases that were marked as expired
     */
    synchronized long run(Instant now, BooleanSupplier timeLeft) {
        long expired = expiry.note(now, timeLeft);
        long minute = Math.floorDiv(now.getEpochSecond(), SECONDS_PER_MINUTE);
        if (minute != countedMinute) {
            LeaseCounts counted = counts.count(now);
            // A fleet without leases costs no write.
            if (counted.inAll() > 0 || isStored || expired > 0) {
                counts.put(counted);
            }
            isStored = counted.inAll() > 0;
            countedMinute = minute;
        }
        return expired;
    }
}
