package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Instant;
import java.util.List;

/**
 * The fields of a record that the registry sets. Requests may contain them with their current values, so that a client can send back a
 * record as it read it.
 */
final class ServerFields {

    /** Fields that change without a new version, or that describe the deployment. Requests may contain them with any value. */
    private static final List<String> OF_ANY_VALUE = List.of(
            "last_heartbeat_at",
            "heard",
            "last_seen_by",
            "activity",
            "stalled",
            "stalled_since",
            "waiting_since",
            "waiting_for",
            "looping",
            "looping_since",
            "looping_repeats",
            "looping_tool",
            "tasks_in_progress",
            "unleased_tasks",
            WatchFields.LAST_PROBE,
            Declarations.DECLARATION,
            WatchFields.SIGNATURE,
            AgentRecordJson.EXPECTED_AT,
            AgentRecordJson.HEARTBEAT_URL,
            AgentRecordJson.WARNINGS);

    private static final List<String> OF_A_VERSION = List.of(
            "status",
            "status_since",
            "registered_at",
            "version",
            "incarnation",
            "drain_deadline",
            "measurement_restarted_at");

    private ServerFields() {}

    /** Records an error for each of these fields that differs from the record of this agent. */
    static void refuseChanges(Fields body, StoredAgent agent) {
        AgentProfile profile = agent.profile();
        Pulse pulse = agent.pulse();
        body.refuseChange("agent_id", pulse.agentId());
        body.refuseChange("role_id", profile.roleId().isEmpty() ? null : profile.roleId());
        body.refuseChange("status", pulse.status().wireName());
        body.refuseChange("status_since", pulse.statusSince());
        body.refuseChange("registered_at", profile.history().registeredAt());
        body.refuseChange("version", pulse.version());
        body.refuseChange("incarnation", pulse.incarnation());
        if (body.has(AgentRecordJson.INSTANCE)) {
            body.refuseChange(AgentRecordJson.INSTANCE, profile.history().instance());
        }
        body.any(AgentRecordJson.INSTANCE);
        body.refuseChange(AgentRecordJson.OWNER_KEY_ID, pulse.owner().keyId());
        body.refuseChange(
                "drain_deadline", pulse.drain().isUnderWay() ? pulse.drain().deadline() : null);
        body.refuseChange("measurement_restarted_at", known(profile.basis().restartedAt()));
        OF_ANY_VALUE.forEach(body::any);
    }

    /** Accepts these fields in a registration, which sets new values: a client may send back a record with {@code replace}. */
    static void accept(Fields body) {
        OF_A_VERSION.forEach(body::any);
        OF_ANY_VALUE.forEach(body::any);
    }

    private static Instant known(Instant moment) {
        return moment.equals(Instant.EPOCH) ? null : moment;
    }
}
