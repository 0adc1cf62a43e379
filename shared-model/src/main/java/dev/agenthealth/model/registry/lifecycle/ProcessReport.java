package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The reports of an agent's process.
 *
 * @param workload the load and the capacity, as reported by the agent
 * @param activity the tasks by the last heartbeat, or {@link Activity#NONE}
 * @param startedAt the start of the process, as reported by the agent; {@link ProcessStart#UNKNOWN} if not reported
 * @param personWait the wait for a person, or {@link PersonWait#NONE}
 */
public record ProcessReport(Workload workload, Activity activity, Instant startedAt, PersonWait personWait) {

    /** Creates the reports of a process that waits for no person. */
    public ProcessReport(Workload workload, Activity activity, Instant startedAt) {
        this(workload, activity, startedAt, PersonWait.NONE);
    }

    ProcessReport with(Activity newActivity) {
        return new ProcessReport(workload, newActivity, startedAt, personWait);
    }

    ProcessReport with(PersonWait newWait) {
        return new ProcessReport(workload, activity, startedAt, newWait);
    }
}
