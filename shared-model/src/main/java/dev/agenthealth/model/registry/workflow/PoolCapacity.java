package dev.agenthealth.model.registry.workflow;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Workload;

/**
 * The capacity of several agents together (RFC-0016 §7.2). Parts add up with {@link #plus}.
 *
 * <p>Members without a declared capacity count only as members. Their capacity is unknown, so their load does not reduce the free capacity of
 * others.
 *
 * @param members the number of agents
 * @param maxConcurrentTasks the sum of the declared capacities
 * @param currentLoad the sum of the loads of all agents with a declared capacity
 */
public record PoolCapacity(long members, long maxConcurrentTasks, long currentLoad) {

    /** The capacity of no agents. */
    public static final PoolCapacity EMPTY = new PoolCapacity(0, 0, 0);

    /** Returns the capacity of one agent. */
    public static PoolCapacity of(Pulse pulse) {
        Workload workload = pulse.workload();
        return workload.maxConcurrentTasks() == Workload.NOT_DECLARED
                ? new PoolCapacity(1, 0, 0)
                : new PoolCapacity(1, workload.maxConcurrentTasks(), Math.max(workload.load(), 0));
    }

    /** Returns the capacity of both together. */
    public PoolCapacity plus(PoolCapacity other) {
        return new PoolCapacity(
                members + other.members,
                maxConcurrentTasks + other.maxConcurrentTasks,
                currentLoad + other.currentLoad);
    }

    /** Returns {@code sum(max_concurrent_tasks) - sum(current_load)}; below 0 if agents took more work than declared. */
    public long available() {
        return maxConcurrentTasks - currentLoad;
    }
}
