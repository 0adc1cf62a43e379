package dev.agenthealth.model.operations.notification;

import static dev.agenthealth.model.operations.notification.EventMeaning.notice;
import static dev.agenthealth.model.operations.notification.EventMeaning.problem;
import static dev.agenthealth.model.operations.notification.EventMeaning.recovery;

import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.Optional;

/** Decides about the meaning of changes of the lifecycle status. */
final class LifecycleMeaning {

    private LifecycleMeaning() {}

    static EventMeaning of(EventFields fields) {
        String agent = EventMeaning.agent(fields);
        String status = fields.text("new_status");
        Optional<LifecycleStatus> known = fields.word("new_status", LifecycleStatus.class);
        if (known.isEmpty()) {
            return notice(agent + " is " + status + ".");
        }
        return switch (known.get()) {
            case UNHEALTHY ->
                problem(
                        Verdict.DEGRADED,
                        probeFailure(fields)
                                .map(why -> agent + " does not answer as expected: " + why + ".")
                                .orElseGet(() -> agent + " is unhealthy: "
                                        + overdueRun(fields).orElse("no heartbeat arrives" + lastHeartbeat(fields))
                                        + "."));
            case DEAD -> ofDead(agent, fields);
            case ACTIVE -> ofActive(agent, fields);
            case DEREGISTERED -> recovery(Verdict.GONE, agent + " deregistered.");
            case DRAINING, REGISTERING -> notice(Verdict.DEGRADED, agent + " is " + status + ".");
        };
    }

    private static EventMeaning ofDead(String agent, EventFields fields) {
        return switch (reason(fields).orElse(LifecycleReason.HEARTBEAT_TIMEOUT)) {
            case DRAIN_COMPLETED -> recovery(Verdict.DOWN, agent + " completed its drain and ended.");
            case DRAIN_TIMEOUT -> problem(Verdict.DOWN, agent + " is dead: its drain timed out.");
            default ->
                problem(
                        Verdict.DOWN,
                        agent + " is dead: "
                                + probeFailure(fields)
                                        .or(() -> overdueRun(fields))
                                        .orElse("no heartbeat arrived" + lastHeartbeat(fields))
                                + ".");
        };
    }

    private static EventMeaning ofActive(String agent, EventFields fields) {
        return switch (reason(fields).orElse(LifecycleReason.HEARTBEAT_RESUMED)) {
            case REGISTERED -> notice(Verdict.OK, agent + " registered.");
            case RE_REGISTERED -> recovery(Verdict.OK, agent + " is active: it registered again.");
            default -> recovery(Verdict.OK, agent + " is active again.");
        };
    }

    private static Optional<LifecycleReason> reason(EventFields fields) {
        return fields.word("reason", LifecycleReason.class);
    }

    /** Returns whether the agent's registration ended. */
    static boolean isDeregistered(EventFields fields) {
        return fields.is("new_status", LifecycleStatus.DEREGISTERED);
    }

    /** Returns whether a known agent registered again. */
    static boolean isRenewal(EventFields fields) {
        return fields.is("reason", LifecycleReason.RE_REGISTERED);
    }

    /** Returns the run that an agent with a schedule missed; empty for any other event. */
    private static Optional<String> overdueRun(EventFields fields) {
        return fields.moment("expected_at")
                .map(run -> "it did not run at " + WrittenTimes.text(run, fields.text("time_zone")));
    }

    /** Returns the time of the agent's last heartbeat, such as " since 2026-02-08T14:02:00.000Z"; empty without one. */
    private static String lastHeartbeat(EventFields fields) {
        return since("last_heartbeat_at", fields);
    }

    /** Returns why the agent's probes fail, such as "connection refused since 2026-02-08T14:02:00.000Z"; empty if they do not fail. */
    private static Optional<String> probeFailure(EventFields fields) {
        return Optional.of(fields.text("probe_failure"))
                .filter(failure -> !failure.isEmpty())
                .map(failure -> failure + since("probe_failing_since", fields));
    }

    /** Returns the time in a field, such as " since 2026-02-08T14:02:00.000Z"; empty without one. */
    static String since(String field, EventFields fields) {
        return fields.written(field).map(moment -> " since " + moment).orElse("");
    }
}
