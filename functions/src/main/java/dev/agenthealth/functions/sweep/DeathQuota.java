package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The number of agents that a pass may mark as dead.
 *
 * @param unlimited true if there is no limit
 * @param byOwner the number for each owner key, if there is a limit; owners without an entry share the number of {@link GroupNumber#NONE}
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

    /** The remaining quota while threads write rows. Thread-safe. */
    static final class Remaining {

        private final boolean unlimited;
        private final Map<Long, AtomicLong> byOwner;
        private final AtomicLong nothing = new AtomicLong();

        Remaining(DeathQuota quota) {
            this.unlimited = quota.unlimited();
            this.byOwner = quota.byOwner().entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, of -> new AtomicLong(of.getValue())));
        }

        /** Takes one death from the quota of the owner. Returns {@code false} if the owner has no quota left. */
        boolean take(long owner) {
            return unlimited || take(owner, 1) > 0;
        }

        /** Gives back a death that {@link #take} took for an agent, if the agent was not marked as dead. */
        void giveBack(long owner) {
            left(owner).incrementAndGet();
        }

        /** Takes quota for a shard: as much as the shard needs, or as much as is left. */
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
