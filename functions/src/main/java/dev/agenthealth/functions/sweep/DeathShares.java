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
record DeathShares(boolean unlimited, Map<Long, Long> byOwner) {

    static final DeathShares UNLIMITED = new DeathShares(true, Map.of());
    static final DeathShares NONE = new DeathShares(false, Map.of());

    DeathShares {
        byOwner = Map.copyOf(byOwner);
    }

    static DeathShares of(Map<Long, Long> byOwner) {
        return new DeathShares(false, byOwner);
    }

    /** The shares of a portion of the fleet: as much as it needs of what is left, which becomes less. */
    static DeathShares portion(Map<Long, Long> left, OwnerCounts portion) {
        Map<Long, Long> shares = new HashMap<>();
        portion.dying().forEach((owner, dying) -> {
            long from = left.containsKey(owner) ? owner : GroupNumber.NONE;
            long share = Math.min(left.getOrDefault(from, 0L), dying);
            left.computeIfPresent(from, (key, number) -> number - share);
            shares.merge(from, share, Long::sum);
        });
        return of(shares);
    }
}
