package dev.agenthealth.functions.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.NamedIncarnation;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.lifecycle.ClientTimestamp;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.Phase;
import dev.agenthealth.model.lifecycle.ProcessStart;
import dev.agenthealth.model.lifecycle.ReportedActivity;
import dev.agenthealth.model.lifecycle.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Reads a heartbeat (RFC-0016 §4.3).
 *
 * <p>Unknown fields are ignored, unlike in other requests: an older registry must not mark newer agents as dead. For the same reason no
 * {@code client_timestamp} is refused, and no text as {@code started_at}: they decide nothing.
 */
final class HeartbeatFields {

    private static final int MAX_LOAD = 1_000_000;

    private static final String CLIENT_TIMESTAMP = "client_timestamp";
    private static final String STARTED_AT = "started_at";
    private static final String ACTIVITY = "activity";
    private static final String NO_TIME = "is no date and time in ISO 8601, so that ";
    private static final String NO_PROGRESS = "no_progress_seconds";

    /** Longer than any threshold; a greater age says nothing more. */
    private static final Duration MAX_AGE = Duration.ofDays(366);

    private HeartbeatFields() {}

    /**
     * The heartbeat in these fields.
     *
     * @throws dev.agenthealth.functions.http.Problem 400 naming every field that breaks a rule
     */
    static Heartbeat read(Fields body) {
        body.require("status");
        if (!body.has(CLIENT_TIMESTAMP)) {
            body.refuse(CLIENT_TIMESTAMP, "is required");
        }
        String status = body.text("status", 64);
        if (!status.isEmpty() && !status.equals("active") && !status.equals("draining")) {
            body.refuse("status", "must be active or draining");
        }
        int load = body.integer("current_load", 0, MAX_LOAD).orElse(Workload.NOT_REPORTED);
        List<String> tasks = body.texts("tasks_in_progress", Heartbeat.MAX_TASKS, Heartbeat.MAX_TASK_ID_LENGTH);
        Instant clientTimestamp =
                ClientTimestamp.read(body.any(CLIENT_TIMESTAMP).asText()).orElse(Heartbeat.UNKNOWN_TIME);
        Instant startedAt = ClientTimestamp.read(body.text(STARTED_AT)).orElse(ProcessStart.UNKNOWN);
        long incarnation = NamedIncarnation.in(body);
        ReportedActivity activity = body.has(ACTIVITY) ? activity(body.object(ACTIVITY)) : ReportedActivity.NONE;
        body.check();
        return new Heartbeat(
                status.equals("draining"),
                load,
                body.has("tasks_in_progress"),
                tasks,
                clientTimestamp,
                startedAt,
                incarnation,
                activity);
    }

    /** A phase of a later version is taken as another one: the age counts, and the agent must not be refused. */
    private static ReportedActivity activity(Fields fields) {
        fields.require("phase");
        fields.require(NO_PROGRESS);
        double seconds = fields.number(NO_PROGRESS).orElse(0);
        if (seconds < 0) {
            fields.refuse(NO_PROGRESS, "must be 0 or more");
        }
        long millis = (long) Math.min(Math.max(seconds, 0) * 1_000, MAX_AGE.toMillis());
        return new ReportedActivity(
                WireNamed.find(Phase.class, fields.text("phase", 64)).orElse(Phase.OTHER), Duration.ofMillis(millis));
    }

    /** The answer to a heartbeat that was accepted, with warnings of what is not used of it. */
    static ObjectNode answer(Acknowledgement acknowledgement, Fields body, Heartbeat heartbeat) {
        ObjectNode answer = acknowledgement.json();
        if (body.has(CLIENT_TIMESTAMP) && !heartbeat.tellsTime()) {
            putWarning(answer, CLIENT_TIMESTAMP, NO_TIME + "the drift of the clock is unknown");
        }
        if (body.has(STARTED_AT) && !ProcessStart.isKnown(heartbeat.startedAt())) {
            putWarning(answer, STARTED_AT, NO_TIME + "it is not used");
        } else if (body.has(STARTED_AT)
                && !ProcessStart.isKnown(ProcessStart.accepted(heartbeat.startedAt(), acknowledgement.at()))) {
            putWarning(answer, STARTED_AT, ProcessStart.NOT_ACCEPTED);
        }
        return answer;
    }

    private static void putWarning(ObjectNode answer, String field, String message) {
        answer.withArray(Acknowledgement.WARNINGS)
                .addObject()
                .put("field", field)
                .put("message", message);
    }
}
