package dev.agenthealth.model.registry.lifecycle;

import java.util.Comparator;
import java.util.OptionalInt;

/**
 * The work of an agent, as reported by the agent (RFC-0016 §1.1, §4.3). It is advisory: no request is refused because of it.
 *
 * @param load the number of tasks in progress, at least 0, or {@link #NOT_REPORTED}
 * @param maxConcurrentTasks the maximum number of concurrent tasks, at least 0, or {@link #NOT_DECLARED}
 * @param taskListHash the hash of the last stored list of task ids; 0 without a stored list
 * @param taskCount the length of the last reported list of task ids
 * @param contextPercent the used part of the model's context, from 0 to 100, or {@link #NOT_REPORTED}
 */
public record Workload(int load, int maxConcurrentTasks, long taskListHash, int taskCount, int contextPercent) {

    /** The load or the used context if the agent never reported one. */
    public static final int NOT_REPORTED = -1;

    /** The capacity if the agent declares none. */
    public static final int NOT_DECLARED = -1;

    /** The maximum of capacity and load. */
    public static final int MAX_TASKS = 1_000_000;

    /**
     * Orders agents by available capacity, the highest first. Overloaded agents come after full agents, and agents without a declared capacity come
     * last.
     */
    public static final Comparator<Workload> MOST_AVAILABLE_FIRST = Comparator.comparingInt(
                    (Workload workload) -> workload.available().orElse(Integer.MIN_VALUE))
            .reversed();

    /** Creates a workload without a reported context. */
    public Workload(int load, int maxConcurrentTasks, long taskListHash, int taskCount) {
        this(load, maxConcurrentTasks, taskListHash, taskCount, NOT_REPORTED);
    }

    /** Returns the workload of an agent that just registered: a load of 0 (RFC-0016 §3.2) and no tasks. */
    public static Workload starting(int maxConcurrentTasks) {
        return new Workload(0, maxConcurrentTasks, 0, 0);
    }

    /** Returns whether no task is in progress, as far as the agent reported. */
    public boolean isIdle() {
        return load <= 0 && taskCount == 0;
    }

    /**
     * Returns {@code maxConcurrentTasks - load} (RFC-0016 §6.2), below 0 if the agent took more tasks than it declares; empty without a declared
     * maximum.
     */
    public OptionalInt available() {
        return maxConcurrentTasks == NOT_DECLARED
                ? OptionalInt.empty()
                : OptionalInt.of(maxConcurrentTasks - Math.max(load, 0));
    }

    /** Returns this workload with the values that the heartbeat reports. The list of tasks is stored separately, and its digest is set after that. */
    Workload with(Heartbeat heartbeat) {
        return new Workload(
                heartbeat.load() == NOT_REPORTED ? load : heartbeat.load(),
                maxConcurrentTasks,
                taskListHash,
                heartbeat.reportsTasks() ? heartbeat.tasks().size() : taskCount,
                heartbeat.contextPercent() == NOT_REPORTED ? contextPercent : heartbeat.contextPercent());
    }

    public Workload withMaxConcurrentTasks(int newMaximum) {
        return new Workload(load, newMaximum, taskListHash, taskCount, contextPercent);
    }
}
