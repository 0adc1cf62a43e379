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
 * Publishes an event for pools that fall below the minimum of their workflow (RFC-0016 §12), and again when they fall
 * further, until they recover, and one when they do.
 *
 * <p>The count is of the rows as the pass read them: an agent which that pass marks as unhealthy counts as active until the next pass. The marks
 * are read before the rows: a mark that another pass set since is newer than this count and stays. Thread-safe.
 */
final class PoolMonitor {

    private final PoolStore pools;

    PoolMonitor(PoolStore pools) {
        this.pools = pools;
    }

    /** Which pools are to be counted, and which are known to be below their minimum. One query. */
    PoolStore.Watch begin() {
        return pools.watch();
    }

    /** The numbers of the roles to be counted. */
    static Set<Long> roles(PoolStore.Watch watch) {
        return watch.minimums().keySet().stream().map(GroupNumber::of).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Publishes events for the pools that fell below their minimum or further, and for those that recovered or are no longer declared.
     *
     * @param watch as it was before the rows were read
     * @param timeLeft whether there is time to begin one more transaction
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

    /** Another pass that began later may have set the mark: what follows it is later nevertheless. */
    private static Instant after(Mark mark, Instant now) {
        return now.isAfter(mark.at()) ? now : mark.at().plusMillis(1);
    }
}
