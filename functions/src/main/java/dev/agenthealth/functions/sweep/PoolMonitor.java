package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.functions.storage.workflows.PoolStore.Change;
import dev.agenthealth.functions.storage.workflows.PoolStore.Mark;
import dev.agenthealth.model.event.PoolEvents;
import dev.agenthealth.model.identity.GroupNumber;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Publishes events for pools below the minimum of their workflow (RFC-0016 §12). Thread-safe.
 *
 * <p>A pool gets an event when it falls below its minimum, when it falls further, and when it recovers. The count is of the rows as the
 * pass read them: an agent that this pass marks as unhealthy still counts as active. Marks are read before the rows. If another pass sets a
 * mark meanwhile, the mark is newer than this count and stays.
 */
final class PoolMonitor {

    private final PoolStore pools;

    PoolMonitor(PoolStore pools) {
        this.pools = pools;
    }

    /** Returns the pools to count, and the pools that are marked as below their minimum. Costs one query. */
    PoolStore.Watch begin() {
        return pools.watch();
    }

    /** Returns the numbers of the roles to count. */
    static Set<Long> roles(PoolStore.Watch watch) {
        return watch.minimums().keySet().stream().map(GroupNumber::of).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Publishes events for pools that fell below their minimum, fell further, recovered, or are no longer declared.
     *
     * @param watch the result of {@link #begin}, from before the rows were read
     * @param timeLeft whether there is time for one more transaction
     * @return the number of pools that fell
     */
    long end(PoolStore.Watch watch, PoolCount count, Instant now, BooleanSupplier timeLeft) {
        List<Change> fallen = new ArrayList<>();
        new TreeMap<>(watch.minimums()).forEach((roleId, minimum) -> {
            long active = count.of(GroupNumber.of(roleId));
            Optional<Mark> before = Optional.ofNullable(watch.marks().get(roleId));
            if (active < minimum
                    && before.filter(mark -> mark.active() <= active).isEmpty()) {
                Instant at = before.map(mark -> after(mark, now)).orElse(now);
                Mark mark = new Mark(at, active);
                fallen.add(new Change(roleId, before, mark, PoolEvents.belowMinimum(roleId, active, minimum, at)));
            }
        });
        List<Change> recovered = new ArrayList<>();
        new TreeMap<>(watch.marks()).forEach((roleId, mark) -> {
            int minimum = watch.minimums().getOrDefault(roleId, 0);
            long active = count.of(GroupNumber.of(roleId));
            if (active >= minimum && !mark.isOver()) {
                Instant at = after(mark, now);
                recovered.add(new Change(
                        roleId,
                        Optional.of(mark),
                        Mark.recovered(at),
                        PoolEvents.recovered(roleId, active, minimum, at)));
            }
        });
        long published = pools.publish(fallen, timeLeft).size();
        pools.publish(recovered, timeLeft);
        return published;
    }

    /** Returns a time after the mark. A pass that began later may have set the mark, but this event follows it. */
    private static Instant after(Mark mark, Instant now) {
        return now.isAfter(mark.at()) ? now : mark.at().plusMillis(1);
    }
}
