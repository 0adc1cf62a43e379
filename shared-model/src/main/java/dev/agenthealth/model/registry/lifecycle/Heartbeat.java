package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;
import java.util.List;

/**
 * The content of a heartbeat (RFC-0016 §4.3).
 *
 * @param draining whether it says {@code draining} rather than {@code active}
 * @param load tasks in progress, or {@link Workload#NOT_REPORTED}
 * @param reportsTasks whether it sent a list of task ids at all
 * @param tasks the ids of the tasks in progress; empty also where it sent no list
 * @param clientTimestamp the agent's own clock, {@link #UNKNOWN_TIME} where it was not sent or could not be read; used to detect drift and for
 *     nothing else
 * @param startedAt when its process started, by the agent's own clock; {@link ProcessStart#UNKNOWN} where it does not report that
 * @param incarnation the registration that the sender knows of, or {@link Pulse#ANY_INCARNATION}
 * @param activity of the running task that is longest without progress
 * @param seenBy whether the agent sends it, or for what the registry sends it
 */
public record Heartbeat(
        boolean draining,
        int load,
        boolean reportsTasks,
        List<String> tasks,
        Instant clientTimestamp,
        Instant startedAt,
        long incarnation,
        ReportedActivity activity,
        SeenBy seenBy) {

    /** The time of a clock that is unknown. */
    public static final Instant UNKNOWN_TIME = Instant.MIN;

    /** A heartbeat without content: the agent is active and reports nothing else. */
    public static final Heartbeat BARE = new Heartbeat(
            false, Workload.NOT_REPORTED, false, List.of(), UNKNOWN_TIME, ProcessStart.UNKNOWN, Pulse.ANY_INCARNATION);

    /** The maximum number of task ids of one heartbeat. */
    public static final int MAX_TASKS = 1_000;

    /** The longest task id, in characters. */
    public static final int MAX_TASK_ID_LENGTH = 128;

    /** A heartbeat that the agent sends. */
    public Heartbeat(
            boolean draining,
            int load,
            boolean reportsTasks,
            List<String> tasks,
            Instant clientTimestamp,
            Instant startedAt,
            long incarnation,
            ReportedActivity activity) {
        this(draining, load, reportsTasks, tasks, clientTimestamp, startedAt, incarnation, activity, SeenBy.HEARTBEAT);
    }

    /** A heartbeat that the agent sends and that reports no activity. */
    public Heartbeat(
            boolean draining,
            int load,
            boolean reportsTasks,
            List<String> tasks,
            Instant clientTimestamp,
            Instant startedAt,
            long incarnation) {
        this(draining, load, reportsTasks, tasks, clientTimestamp, startedAt, incarnation, ReportedActivity.NONE);
    }

    public Heartbeat {
        tasks = List.copyOf(tasks);
    }

    /** Returns the heartbeat that the registry sends for an agent: all that the agent reported stays. */
    public static Heartbeat ofRegistry(SeenBy by) {
        return new Heartbeat(
                false,
                Workload.NOT_REPORTED,
                false,
                List.of(),
                UNKNOWN_TIME,
                ProcessStart.UNKNOWN,
                Pulse.ANY_INCARNATION,
                ReportedActivity.NONE,
                by);
    }

    /** Returns whether the agent sends it. */
    public boolean isOfAgent() {
        return seenBy == SeenBy.HEARTBEAT;
    }

    /** Returns whether the time of the agent's clock is known. */
    public boolean tellsTime() {
        return !clientTimestamp.equals(UNKNOWN_TIME);
    }
}
