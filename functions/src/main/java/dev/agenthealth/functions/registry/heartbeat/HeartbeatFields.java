package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.NamedIncarnation;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.JsonMembers;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.ClientTimestamp;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.PersonWait;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.ReportedActivity;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Reads a heartbeat (RFC-0016 §4.3).
 *
 * <p>Only {@code status} and the presence of {@code client_timestamp} are checked. An error in any other field becomes a warning: the field
 * counts as absent, and the heartbeat counts. A mistake in one part of the activity costs only this part. Unlike other requests, a heartbeat may have unknown fields, because an older registry must
 * not mark newer agents as dead.
 *
 * @param heartbeat the heartbeat that counts
 * @param body the fields as sent
 * @param ignored a warning for each ignored field
 */
record HeartbeatFields(Heartbeat heartbeat, Fields body, List<FieldError> ignored) {

    private static final int MAX_LOAD = 1_000_000;

    private static final String CLIENT_TIMESTAMP = "client_timestamp";
    private static final String STARTED_AT = "started_at";
    private static final String ACTIVITY = "activity";
    private static final String CONTEXT_USED = "context_used";
    private static final String TASKS = "tasks_in_progress";
    private static final String INCARNATION = "incarnation";

    private static final int PERCENT = 100;

    /** The field of warnings about the whole body. */
    private static final String BODY = "body";

    private static final Set<String> READ = Set.of(
            "agent_id",
            "status",
            CLIENT_TIMESTAMP,
            STARTED_AT,
            "current_load",
            CONTEXT_USED,
            TASKS,
            INCARNATION,
            ACTIVITY,
            "batch_id",
            HeartbeatOutcomes.OUTCOMES);

    private static final String NO_TIME = "is no date and time in ISO 8601, so that ";
    private static final String NO_PROGRESS = "no_progress_seconds";
    private static final String REPEATS = "repeats";

    /** The maximum age of an activity. It is longer than any threshold, so a greater age has no other effect. */
    private static final Duration MAX_AGE = Duration.ofDays(366);

    HeartbeatFields {
        ignored = List.copyOf(ignored);
    }

    /**
     * Returns the heartbeat in these fields.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every bad field, if {@code status} or {@code client_timestamp} is
     *     among them
     */
    static HeartbeatFields read(Fields body) {
        if (body.names().isEmpty() && body.errorCount() == 0) {
            return new HeartbeatFields(
                    Heartbeat.BARE, body, List.of(new FieldError(BODY, "has no field; it counts as an empty one")));
        }
        body.require("status");
        if (!body.has(CLIENT_TIMESTAMP)) {
            body.refuse(CLIENT_TIMESTAMP, "is required");
        }
        String status = body.text("status", 64);
        if (!status.isEmpty() && !status.equals("active") && !status.equals("draining")) {
            body.refuse("status", "must be active or draining");
        }
        Fields details = body.apart();
        int load = details.integer("current_load", 0, MAX_LOAD).orElse(Workload.NOT_REPORTED);
        int context = contextPercent(details);
        List<String> tasks = details.texts(TASKS, Heartbeat.MAX_TASKS, Heartbeat.MAX_TASK_ID_LENGTH);
        long incarnation = NamedIncarnation.in(details);
        ReportedActivity activity = details.has(ACTIVITY) ? activity(details) : ReportedActivity.NONE;
        if (body.errorCount() > 0) {
            body.refuse(details.errors());
        }
        body.check();
        Map<String, FieldError> ignored = ignored(details.errors());
        if (hasUnreadable(body)) {
            ignored.put(BODY, new FieldError(BODY, "has unknown fields that repeat a name or cannot be read"));
        }
        boolean reportsTasks = details.has(TASKS) && !ignored.containsKey(TASKS);
        Heartbeat heartbeat = new Heartbeat(
                status.equals("draining"),
                load,
                reportsTasks,
                reportsTasks ? tasks : List.of(),
                ClientTimestamp.read(body.any(CLIENT_TIMESTAMP).asText()).orElse(Heartbeat.UNKNOWN_TIME),
                ClientTimestamp.read(body.any(STARTED_AT).asText()).orElse(ProcessStart.UNKNOWN),
                ignored.containsKey(INCARNATION) ? Pulse.ANY_INCARNATION : incarnation,
                ignored.containsKey(ACTIVITY) ? ReportedActivity.NONE : activity,
                SeenBy.HEARTBEAT,
                context);
        return new HeartbeatFields(heartbeat, body, List.copyOf(ignored.values()));
    }

    private static boolean hasUnreadable(Fields body) {
        for (String name : body.names()) {
            if (!READ.contains(name) && body.any(name) == JsonMembers.UNREADABLE) {
                return true;
            }
        }
        return false;
    }

    /** Returns the used part of the context, from 0 to 100. */
    private static int contextPercent(Fields details) {
        OptionalDouble used = details.has(CONTEXT_USED) ? details.number(CONTEXT_USED) : OptionalDouble.empty();
        if (used.isEmpty()) {
            return Workload.NOT_REPORTED;
        }
        if (used.getAsDouble() < 0 || used.getAsDouble() > 1) {
            details.refuse(CONTEXT_USED, "must be from 0 to 1");
            return Workload.NOT_REPORTED;
        }
        return (int) Math.round(used.getAsDouble() * PERCENT);
    }

    /**
     * Returns the activity. A mistake in a part costs only this part: a wait or a loop must not stay unseen because of another field. A phase of a
     * later version of the protocol counts as another phase. A wait without a valid age keeps its beginning; any other
     * activity without a valid age counts as progress now.
     */
    private static ReportedActivity activity(Fields details) {
        int before = details.errorCount();
        Fields fields = details.object(ACTIVITY);
        if (details.errorCount() > before) {
            return ReportedActivity.NONE;
        }
        fields.require("phase");
        String phase = fields.text("phase");
        if (!fields.has(NO_PROGRESS)) {
            fields.refuse(
                    NO_PROGRESS,
                    phase.equals(Phase.HUMAN.wireName())
                            ? "is required; a wait that goes on keeps its beginning"
                            : "is required");
        }
        OptionalDouble seconds = fields.number(NO_PROGRESS);
        if (seconds.orElse(0) < 0) {
            fields.refuse(NO_PROGRESS, "must be 0 or more");
        }
        if (fields.errorCount() == before + 2) {
            return ReportedActivity.NONE;
        }
        double age = seconds.orElse(-1);
        return new ReportedActivity(
                WireNamed.find(Phase.class, phase).orElse(Phase.OTHER),
                age < 0
                        ? ReportedActivity.UNKNOWN_AGE
                        : Duration.ofMillis((long) Math.min(age * 1_000, MAX_AGE.toMillis())),
                PersonWait.shown(fields.text("for")),
                repeats(fields),
                Repetition.shown(fields.text("tool")));
    }

    /** Returns the number of repetitions. A number above the maximum counts as the maximum, because it is the worst loop. */
    private static int repeats(Fields fields) {
        long repeats = fields.wholeNumber(REPEATS).orElse(0);
        if (repeats < 0) {
            fields.refuse(REPEATS, "must be 0 or more");
        }
        return (int) Math.min(Math.max(repeats, 0), Repetition.MAX_REPEATS);
    }

    /** Returns one warning for each field that is not used. A mistake in an entry of a list costs the list. */
    private static Map<String, FieldError> ignored(List<FieldError> errors) {
        Map<String, FieldError> ignored = new LinkedHashMap<>();
        for (FieldError error : errors) {
            String field = error.field().replaceFirst("\\[.*", "");
            String part = error.field().equals(field) ? "it" : error.field();
            ignored.putIfAbsent(field, new FieldError(field, "is not used: " + part + " " + error.message()));
        }
        return ignored;
    }

    /** Returns the answer to the heartbeat, with warnings about ignored fields. */
    ObjectNode answer(Acknowledgement acknowledgement) {
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
        ignored.forEach(warning -> putWarning(answer, warning.field(), warning.message()));
        return answer;
    }

    private static void putWarning(ObjectNode answer, String field, String message) {
        answer.withArray(Acknowledgement.WARNINGS)
                .addObject()
                .put("field", field)
                .put("message", message);
    }
}
