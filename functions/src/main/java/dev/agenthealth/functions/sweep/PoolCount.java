package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of active agents of some roles, counted from pulses. {@link #plus} adds the numbers of segments.
 *
 * @param active the number by role number; a role without active agents may be missing
 */
record PoolCount(Map<Long, Long> active) {

    static final PoolCount EMPTY = new PoolCount(Map.of());

    PoolCount {
        active = Map.copyOf(active);
    }

    /** Returns the number of active agents of a role. */
    long of(long roleNumber) {
        return active.getOrDefault(roleNumber, 0L);
    }

    PoolCount plus(PoolCount other) {
        Tally tally = new Tally(Set.of());
        tally.active.putAll(active);
        other.active.forEach((role, agents) -> tally.active.merge(role, agents, Long::sum));
        return new PoolCount(tally.active);
    }

    /** Counts agents one by one. Not thread-safe. */
    static final class Tally {

        private final Set<Long> roles;
        private final Map<Long, Long> active = new HashMap<>();

        /** @param roles the numbers of the roles to count */
        Tally(Set<Long> roles) {
            this.roles = roles;
        }

        void add(Pulse pulse) {
            if (!roles.isEmpty()
                    && pulse.status() == LifecycleStatus.ACTIVE
                    && roles.contains(pulse.coordination().roleNumber())) {
                active.merge(pulse.coordination().roleNumber(), 1L, Long::sum);
            }
        }

        PoolCount count() {
            return new PoolCount(active);
        }
    }
}
