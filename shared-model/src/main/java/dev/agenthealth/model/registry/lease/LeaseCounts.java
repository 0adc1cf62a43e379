package dev.agenthealth.model.registry.lease;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The numbers of live leases at a moment, as counted by the sweep.
 *
 * @param at the moment; {@link Instant#EPOCH} before the first count
 * @param inAll the live leases of all owners
 * @param byOwner the live leases of each owner key, by the number of the key
 */
public record LeaseCounts(Instant at, long inAll, Map<Long, Long> byOwner) {

    public static final LeaseCounts NONE = new LeaseCounts(Instant.EPOCH, 0, Map.of());

    public LeaseCounts {
        byOwner = Map.copyOf(byOwner);
    }

    /** Returns these counts with only the largest owners. */
    public LeaseCounts largest(int owners) {
        return new LeaseCounts(
                at,
                inAll,
                byOwner.entrySet().stream()
                        .sorted(Map.Entry.<Long, Long>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(owners)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Returns the number of live leases of an owner. */
    public long of(long owner) {
        return byOwner.getOrDefault(owner, 0L);
    }
}
