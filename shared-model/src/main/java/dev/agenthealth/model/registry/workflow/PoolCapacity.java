package dev.agenthealth.model.registry.workflow;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Workload;

/**
 * The capacity of several agents together (RFC-0016 §7.2). Parts add up with {@link #plus}.
 *
 * <p>Members that declare no capacity are counted as members only: nothing is known of what they could take, so their load does not lessen
 * what others have free.
 *
 * @param members agents
 * @param maxConcurrentTasks sum of the declared capacities
 * @param currentLoad sum of the loads of those who declare a capacity
 */
public record PoolCapacity(long members, long maxConcurrentTasks, long currentLoad) {

    /** The capacity of no agents. */
    public static final PoolCapacity EMPTY = new PoolCapacity(0, 0, 0);

    /** One agent. */
    public static PoolCapacity of(Pulse pulse) {
        Workload workload = pulse.workload();
        return workload.maxConcurrentTasks() == Workload.NOT_DECLARED
                ? new PoolCapacity(1, 0, 0)
                : new PoolCapacity(1, workload.maxConcurrentTasks(), Math.max(workload.load(), 0));
    }

    /** Both together. */
    public PoolCapacity plus(PoolCapacity other) {
        return new PoolCapacity(
                members + other.members,
                maxConcurrentTasks + other.maxConcurrentTasks,
                currentLoad + other.currentLoad);
    }

    /** {@code sum(max_concurrent_tasks) - sum(current_load)}; below 0 where agents took more than they declared. */
    public long available() {
        return maxConcurrentTasks - currentLoad;
    }
}
