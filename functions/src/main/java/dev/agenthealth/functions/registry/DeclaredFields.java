package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.CapabilityTag;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What agents declare for themselves and workflows for the agents of a role. Errors are recorded on the fields. */
public final class DeclaredFields {

    private DeclaredFields() {}

    /** The capabilities without repeats; empty if absent. */
    public static List<String> capabilities(Fields fields) {
        Set<String> tags = new LinkedHashSet<>(
                fields.texts("capabilities", AgentProfile.MAX_CAPABILITIES, CapabilityTag.MAX_LENGTH));
        for (String tag : tags) {
            if (!CapabilityTag.fitsIntoList(tag)) {
                fields.refuse(
                        "capabilities",
                        "must be tags without commas and without spaces at their ends, unlike '" + tag + "'");
            }
        }
        return List.copyOf(tags);
    }

    /**
     * The thresholds in these fields.
     *
     * @param kept the values of absent fields
     * @param cleared the values of fields that are null
     */
    public static HeartbeatConfig heartbeat(Fields fields, HeartbeatConfig kept, HeartbeatConfig cleared) {
        int before = fields.errorCount();
        int interval = HeartbeatConfig.MAX_INTERVAL_SECONDS;
        int threshold = HeartbeatConfig.MAX_THRESHOLD_SECONDS;
        HeartbeatConfig config = new HeartbeatConfig(
                seconds(fields, "interval_seconds", interval, kept.intervalSeconds(), cleared.intervalSeconds()),
                seconds(
                        fields,
                        "unhealthy_after_seconds",
                        threshold,
                        kept.unhealthyAfterSeconds(),
                        cleared.unhealthyAfterSeconds()),
                seconds(fields, "dead_after_seconds", threshold, kept.deadAfterSeconds(), cleared.deadAfterSeconds()));
        fields.refuseUnknown();
        if (fields.errorCount() == before) {
            // An unreadable number would make the other fields look inconsistent.
            for (FieldError error : config.errors()) {
                fields.refuse(error.field().substring(error.field().lastIndexOf('.') + 1), error.message());
            }
        }
        return config;
    }

    private static int seconds(Fields fields, String name, int maximum, int kept, int cleared) {
        return fields.integer(name, 1, maximum).orElse(fields.mentions(name) ? cleared : kept);
    }

    /**
     * The maximum number of tasks in the fields of a capacity.
     *
     * @param otherwise the value where it is absent or null
     */
    public static int maxTasks(Fields capacity, int otherwise) {
        return capacity.integer("max_concurrent_tasks", 0, Workload.MAX_TASKS).orElse(otherwise);
    }

    /** Shows thresholds. */
    public static void put(ObjectNode json, HeartbeatConfig config) {
        json.put("interval_seconds", config.intervalSeconds());
        json.put("unhealthy_after_seconds", config.unhealthyAfterSeconds());
        json.put("dead_after_seconds", config.deadAfterSeconds());
    }

    /** Shows the maximum number of tasks; null where none is declared. */
    public static void putMaxTasks(ObjectNode capacity, int maximum) {
        capacity.put("max_concurrent_tasks", maximum == Workload.NOT_DECLARED ? null : maximum);
    }
}
