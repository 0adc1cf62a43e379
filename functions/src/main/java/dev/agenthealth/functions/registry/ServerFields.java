package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Instant;
import java.util.List;

/** The fields of a record that the registry sets. A record may be sent back as it was read, so requests may contain them. */
final class ServerFields {

    /** The names of those that change without another version, and of one that belongs to the deployment. */
    private static final List<String> OF_ANY_VALUE = List.of(
            "last_heartbeat_at",
            "last_seen_by",
            "activity",
            "stalled",
            "stalled_since",
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

    /** Records an error for each field that is not as it is in the record of this agent. */
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

    /** Accepts the fields in a registration, which sets them anew: a record may be sent back with {@code replace}. */
    static void accept(Fields body) {
        OF_A_VERSION.forEach(body::any);
        OF_ANY_VALUE.forEach(body::any);
    }

    private static Instant known(Instant moment) {
        return moment.equals(Instant.EPOCH) ? null : moment;
    }
}
