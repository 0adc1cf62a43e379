package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.ModelInfo;

/** The JSON of an agent that moves to another registry: what the agent declares, its owner and the number of its registration. */
final class MovedAgentJson {

    static final String INCARNATION = "incarnation";

    private MovedAgentJson() {}

    static ObjectNode of(AgentProfile profile, String ownerKeyId, long incarnation) {
        ObjectNode json = Json.object().put("agent_id", profile.agentId());
        putText(json, "role_id", profile.roleId());
        json.put(AgentRecordJson.OWNER_KEY_ID, ownerKeyId).put(INCARNATION, incarnation);
        put(json, profile.description());
        put(json, profile.agentInterface());
        DeclaredFields.putMaxTasks(json.putObject("capacity"), profile.maxConcurrentTasks());
        DeclaredFields.put(json.putObject("heartbeat_config"), profile.heartbeatConfig());
        WatchFields.put(json, profile.watch());
        put(json, profile.basis().model());
        AgentRecordJson.putExpectations(json, profile.basis().expectations());
        return json;
    }

    private static void put(ObjectNode json, Description description) {
        putText(json, "name", description.name());
        putText(json, "agent_uri", description.agentUri());
        putText(json, "provider_id", description.providerId());
        putText(json, "platform", description.platform());
        putText(json, ProfilePatch.AGENT_VERSION, description.version());
        json.put("personal", description.personal()).put("listed", description.inCatalogue());
        description.coordinators().forEach(json.putArray(ProfilePatch.COORDINATORS)::add);
        json.set("metadata", Json.stored(description.metadata()));
    }

    private static void put(ObjectNode json, AgentInterface declared) {
        json.put("kind", declared.kind().wireName());
        declared.capabilities().forEach(json.putArray("capabilities")::add);
        putText(json, "endpoint", declared.endpoint());
        json.put("a2a_version", declared.a2a().version().wireName());
        json.put("a2a_binding", declared.a2a().binding().wireName());
        putText(json, "a2a_tenant", declared.a2a().tenant());
        json.put("accepts_push", declared.acceptsPush());
    }

    private static void put(ObjectNode json, ModelInfo model) {
        ObjectNode shown = json.putObject("model");
        putText(shown, "name", model.name());
        putText(shown, "version", model.version());
        if (model.hasChangeDate()) {
            shown.put("changed_at", Timestamps.text(model.changedAt()));
        }
    }

    private static void putText(ObjectNode json, String field, String text) {
        json.put(field, text.isEmpty() ? null : text);
    }
}
