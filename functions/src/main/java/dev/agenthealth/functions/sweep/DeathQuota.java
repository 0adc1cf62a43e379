package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The number of agents that may be marked as dead, of those whose deaths are limited.
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

    /** The remaining quota while rows are written. Thread-safe. */
    static final class Remaining {

        private final boolean unlimited;
        private final Map<Long, AtomicLong> byOwner;
        private final AtomicLong nothing = new AtomicLong();

        Remaining(DeathQuota quota) {
            this.unlimited = quota.unlimited();
            this.byOwner = quota.byOwner().entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, of -> new AtomicLong(of.getValue())));
        }

        /** Takes one death; {@code false} where the owner has none left. */
        boolean take(long owner) {
            return unlimited || take(owner, 1) > 0;
        }

        /** Gives back a death that was taken for an agent which was not marked. */
        void giveBack(long owner) {
            left(owner).incrementAndGet();
        }

        /** Takes the quota of a shard: its need, as far as it is left. */
        DeathQuota take(OwnerCounts shard) {
            if (unlimited) {
                return UNLIMITED;
            }
            Map<Long, Long> taken = new HashMap<>();
            shard.dying()
                    .forEach((owner, dying) -> taken.merge(
                            byOwner.containsKey(owner) ? owner : GroupNumber.NONE, take(owner, dying), Long::sum));
            return of(taken);
        }

        private long take(long owner, long wanted) {
            return Math.min(wanted, left(owner).getAndUpdate(left -> Math.max(0, left - wanted)));
        }

        private AtomicLong left(long owner) {
            return byOwner.getOrDefault(owner, byOwner.getOrDefault(GroupNumber.NONE, nothing));
        }
    }
}
