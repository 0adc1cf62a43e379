package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.model.identity.Author;
import java.util.List;
import java.util.Optional;

/**
 * Creates the audit entries about agents. An entry has only ids, numbers and words of this registry; for texts, it says only that they
 * changed. Entries stay after an agent is erased.
 */
final class AuditedAgent {

    private static final List<String> SHOWN = List.of(
            "kind",
            "role_id",
            "provider_id",
            "listed",
            "personal",
            ProfilePatch.COORDINATORS,
            "accepts_push",
            "a2a_version",
            "a2a_binding",
            "status",
            "incarnation",
            "owner_key_id");

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
        ObjectNode was =
                before.map(seen -> AgentRecordJson.full(seen, List.of())).orElseGet(Json::object);
        ObjectNode is = AgentRecordJson.full(after, List.of());
        List<String> changed = TEXTS.stream()
                .filter(field -> before.isPresent() && !was.path(field).equals(is.path(field)))
                .toList();
        ObjectNode shownBefore = shown(was, before);
        ObjectNode shownAfter = shown(is, Optional.of(after));
        changed.forEach(field -> shownAfter.put(field, CHANGED));
        return AuditEntry.of(author, action, AuditObject.agent(after.pulse().agentId()), shownBefore, shownAfter);
    }

    private static ObjectNode shown(ObjectNode record, Optional<StoredAgent> agent) {
        ObjectNode shown = record.retain(SHOWN);
        agent.ifPresent(known -> {
            DeclaredFields.putMaxTasks(
                    shown.putObject("capacity"), known.pulse().workload().maxConcurrentTasks());
            DeclaredFields.put(
                    shown.putObject("heartbeat_config"), known.pulse().config());
        });
        return shown;
    }
}
