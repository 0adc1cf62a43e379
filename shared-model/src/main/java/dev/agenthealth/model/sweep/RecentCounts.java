package dev.agenthealth.model.sweep;

import dev.agenthealth.model.identity.Owner;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The items that each owner created lately in this process, by the second. A count of the sweep does not have them yet. Not thread-safe. */
public final class RecentCounts {

    /** Items of each second since 1970, by the {@linkplain OwnerCounts#numberOf number} of the owner. */
    private final TreeMap<Long, Map<Long, Long>> seconds = new TreeMap<>();

    /** Counts new items of an owner. */
    public void add(Owner owner, long number, Instant now) {
        seconds.computeIfAbsent(now.getEpochSecond(), second -> new HashMap<>())
                .merge(OwnerCounts.numberOf(owner), number, Long::sum);
    }

    /** Returns the number of items of one owner. */
    public long of(long owner) {
        return seconds.values().stream()
                .mapToLong(second -> second.getOrDefault(owner, 0L))
                .sum();
    }

    /** Forgets the items of all seconds before the second of {@code moment}. */
    public void forgetBefore(Instant moment) {
        seconds.headMap(moment.getEpochSecond()).clear();
    }
}
