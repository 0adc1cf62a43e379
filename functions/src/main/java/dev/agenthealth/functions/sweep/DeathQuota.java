package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.util.HashMap;
import java.util.Map;

/**
 * How many agents whose deaths are limited may be marked as dead.
 *
 * @param unlimited true for all
 * @param byOwner otherwise the number for each owner key; owners without an entry share that of {@link GroupNumber#NONE}
 */
record DeathQuota(boolean unlimited, Map<Long, Long> byOwner) {

    static final DeathQuota UNLIMITED = new DeathQuota(true, Map.of());
    static final DeathQuota NONE = new DeathQuota(false, Map.of());

    DeathQuota {
        byOwner = Map.copyOf(byOwner);
    }

    static DeathQuota of(Map<Long, Long> byOwner) {
        return new DeathQuota(false, byOwner);
    }

    /** The shares of a shard of the fleet: as much as it needs of what is left, which becomes less. */
    static DeathQuota shard(Map<Long, Long> left, OwnerCounts shard) {
        Map<Long, Long> shares = new HashMap<>();
        shard.dying().forEach((owner, dying) -> {
            long from = left.containsKey(owner) ? owner : GroupNumber.NONE;
            long share = Math.min(left.getOrDefault(from, 0L), dying);
            left.computeIfPresent(from, (key, number) -> number - share);
            shares.merge(from, share, Long::sum);
        });
        return of(shares);
    }
}
