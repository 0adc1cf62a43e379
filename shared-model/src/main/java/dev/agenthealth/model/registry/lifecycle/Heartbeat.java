package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;
import java.util.List;

/**
 * The content of a heartbeat (RFC-0016 §4.3).
 *
 * @param draining whether the heartbeat says {@code draining} rather than {@code active}
 * @param load the number of tasks in progress, or {@link Workload#NOT_REPORTED}
 * @param reportsTasks whether the heartbeat has a list of task ids
 * @param tasks the ids of the tasks in progress; also empty without a list
 * @param clientTimestamp the time of the agent's clock, used only to detect drift; {@link #UNKNOWN_TIME} if it is missing or unreadable
 * @param startedAt the start of the agent's process, by the agent's clock; {@link ProcessStart#UNKNOWN} if not reported
 * @param incarnation the registration that the sender knows of, or {@link Pulse#ANY_INCARNATION}
 * @param activity the activity of the running task that is longest without progress
 * @param seenBy the sign of life: a heartbeat of the agent itself, or the reason for a heartbeat that the registry sends
 * @param contextPercent the used part of the model's context, from 0 to 100, or {@link Workload#NOT_REPORTED}
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
        SeenBy seenBy,
        int contextPercent) {

    /** The time of an unknown clock. */
    public static final Instant UNKNOWN_TIME = Instant.MIN;

    /** A heartbeat without details: the agent is active. */
    public static final Heartbeat BARE = new Heartbeat(
            false, Workload.NOT_REPORTED, false, List.of(), UNKNOWN_TIME, ProcessStart.UNKNOWN, Pulse.ANY_INCARNATION);

    /** The maximum number of task ids in one heartbeat. */
    public static final int MAX_TASKS = 1_000;

    /** The maximum length of a task id, in characters. */
    public static final int MAX_TASK_ID_LENGTH = 128;

    /** Creates a heartbeat of the agent itself without an activity. */
    public Heartbeat(
            boolean draining,
            int load,
            boolean reportsTasks,
            List<String> tasks,
            Instant clientTimestamp,
            Instant startedAt,
            long incarnation) {
        this(
                draining,
                load,
                reportsTasks,
                tasks,
                clientTimestamp,
                startedAt,
                incarnation,
                ReportedActivity.NONE,
                SeenBy.HEARTBEAT);
    }

    /** Creates a heartbeat without the used part of the context. */
    public Heartbeat(
            boolean draining,
            int load,
            boolean reportsTasks,
            List<String> tasks,
            Instant clientTimestamp,
            Instant startedAt,
            long incarnation,
            ReportedActivity activity,
            SeenBy seenBy) {
        this(
                draining,
                load,
                reportsTasks,
                tasks,
                clientTimestamp,
                startedAt,
                incarnation,
                activity,
                seenBy,
                Workload.NOT_REPORTED);
    }

    public Heartbeat {
        tasks = List.copyOf(tasks);
    }

    /** Returns the heartbeat that the registry sends for an agent. It changes nothing that the agent reported. */
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

    /** Returns this heartbeat with another activity. */
    public Heartbeat with(ReportedActivity other) {
        return new Heartbeat(
                draining,
                load,
                reportsTasks,
                tasks,
                clientTimestamp,
                startedAt,
                incarnation,
                other,
                seenBy,
                contextPercent);
    }

    /** Returns whether the agent itself sent the heartbeat. */
    public boolean isOfAgent() {
        return seenBy == SeenBy.HEARTBEAT;
    }

    /** Returns whether the time of the agent's clock is known. */
    public boolean tellsTime() {
        return !clientTimestamp.equals(UNKNOWN_TIME);
    }
}
