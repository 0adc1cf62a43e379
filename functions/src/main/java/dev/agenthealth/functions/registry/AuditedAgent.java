package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;
import java.util.Optional;

/**
 * Creates the audit entries about agents. An entry has only ids, numbers and words of this registry; for texts, it says only that they
 * changed. Entries stay after an agent is erased.
 */
final class AuditedAgent {

    private static final List<String> TEXTS = List.of(
            "name",
            "endpoint",
            "a2a_tenant",
            "capabilities",
            "metadata",
            "agent_uri",
            "platform",
            ProfilePatch.AGENT_VERSION,
            "model",
            "expectations",
            WatchFields.WATCH);

    private static final String CHANGED = "changed";

    private AuditedAgent() {}

    /**
     * Returns the entry of a registration or of a change of the profile.
     *
     * @param author the author of the request; empty if there was no request
     */
    static AuditEntry entry(Optional<Author> author, String action, Optional<StoredAgent> before, StoredAgent after) {
        return author.map(known -> entry(known, action, before, after)).orElse(AuditEntry.NONE);
    }

    private static AuditEntry entry(Author author, String action, Optional<StoredAgent> before, StoredAgent after) {
        ObjectNode shownBefore = before.map(AuditedAgent::shown).orElseGet(Json::object);
        ObjectNode shownAfter = shown(after);
        before.ifPresent(seen -> putChangedTexts(shownAfter, seen, after));
        return AuditEntry.of(author, action, AuditObject.agent(after.pulse().agentId()), shownBefore, shownAfter);
    }

    private static void putChangedTexts(ObjectNode shown, StoredAgent before, StoredAgent after) {
        ObjectNode was = AgentRecordJson.full(before, List.of());
        ObjectNode is = AgentRecordJson.full(after, List.of());
        TEXTS.stream()
                .filter(field -> !was.path(field).equals(is.path(field)))
                .forEach(field -> shown.put(field, CHANGED));
    }

    /** Returns the shown fields of a record, in the order of the record. The whole record would take ten times as long. */
    static ObjectNode shown(StoredAgent agent) {
        AgentProfile profile = agent.profile();
        Pulse pulse = agent.pulse();
        ObjectNode shown =
                Json.object().put("kind", profile.agentInterface().kind().wireName());
        putText(shown, "role_id", profile.roleId());
        putText(shown, "provider_id", profile.description().providerId());
        shown.put("listed", profile.description().inCatalogue())
                .put("status", pulse.status().wireName())
                .put("a2a_version", profile.agentInterface().a2a().version().wireName())
                .put("a2a_binding", profile.agentInterface().a2a().binding().wireName())
                .put("accepts_push", profile.agentInterface().acceptsPush())
                .put("incarnation", pulse.incarnation())
                .put(AgentRecordJson.OWNER_KEY_ID, pulse.owner().keyId())
                .put("personal", profile.description().personal());
        if (!profile.description().coordinators().isEmpty()) {
            profile.description().coordinators().forEach(shown.putArray(ProfilePatch.COORDINATORS)::add);
        }
        DeclaredFields.putMaxTasks(shown.putObject("capacity"), pulse.workload().maxConcurrentTasks());
        DeclaredFields.put(shown.putObject("heartbeat_config"), pulse.config());
        return shown;
    }

    private static void putText(ObjectNode json, String field, String text) {
        json.put(field, text.isEmpty() ? null : text);
    }
}
