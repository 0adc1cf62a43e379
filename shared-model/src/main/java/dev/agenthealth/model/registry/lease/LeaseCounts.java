package dev.agenthealth.model.registry.lease;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The live leases of a moment, as the sweep counts them.
 *
 * @param at the moment; {@link Instant#EPOCH} before the first count
 * @param inAll live leases of all owners
 * @param byOwner live leases of an owner key, by the number of the key
 */
public record LeaseCounts(Instant at, long inAll, Map<Long, Long> byOwner) {

    public static final LeaseCounts NONE = new LeaseCounts(Instant.EPOCH, 0, Map.of());

    public LeaseCounts {
        byOwner = Map.copyOf(byOwner);
    }

    /** Returns the counts with the largest owners only. */
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

    /** Returns the live leases of an owner. */
    public long of(long owner) {
        return byOwner.getOrDefault(owner, 0L);
    }
}
