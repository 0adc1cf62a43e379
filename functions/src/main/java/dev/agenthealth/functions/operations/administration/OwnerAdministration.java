package dev.agenthealth.functions.operations.administration;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Owner;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Transfers agents to another owner. Thread-safe. */
final class OwnerAdministration {

    private static final String KEY_ID = "key_id";

    private final Database database;
    private final AgentStore agents;
    private final Authenticator authenticator;
    private final Log log;

    OwnerAdministration(Database database, Authenticator authenticator, Log log) {
        this.database = database;
        this.agents = new AgentStore(database);
        this.authenticator = authenticator;
        this.log = log;
    }

    /**
     * {@code PUT /v1/admin/agents/{agent_id}/owner}: the key in the body owns the agent from now on. The agent's incarnation, leases and events
     * continue.
     *
     * @throws ApiError 400 if the body names no key in force, 404 for an unknown agent, 409 if the key lacks the agent's provider
     */
    ApiResponse transfer(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Fields body = request.fields();
        body.require(KEY_ID);
        String keyId = body.id(KEY_ID);
        body.refuseUnknown();
        body.check();
        return OptimisticUpdates.untilPresent(() -> {
            Optional<Owner> owner = authenticator.owner(keyId);
            if (owner.isEmpty()) {
                throw ApiError.invalid(List.of(new FieldError(KEY_ID, "must be the id of a key in force")));
            }
            StoredAgent agent = agents.find(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
            String before = agent.pulse().owner().keyId();
            boolean same =
                    before.equals(keyId) && !agent.pulse().owner().credential().isNone();
            String provider = agent.profile().description().providerId();
            if (!provider.isEmpty() && !authenticator.providers(owner.get()).permit(provider)) {
                throw ApiError.conflict(
                        "provider_not_granted",
                        "The agent's provider '" + provider + "' is not granted to the key '" + keyId + "'.");
            }
            if (!same) {
                AuditEntry entry = AuditEntry.of(
                        request.author(),
                        "agent.owner_changed",
                        AuditObject.agent(agentId),
                        Json.object().put("owner_key_id", before),
                        Json.object().put("owner_key_id", keyId));
                if (!AuditStore.recording(database, entry, AgentStore::new).transfer(agent, owner.get())) {
                    return Optional.empty();
                }
                String by = request.caller().keyId();
                log.info("agent_transferred", Map.of("agent_id", agentId, "from", before, "to", keyId, "by", by));
            }
            return Optional.of(ApiResponse.json(
                    200,
                    Json.object()
                            .put("agent_id", agentId)
                            .put("owner_key_id", keyId)
                            .put("previous_owner_key_id", before)));
        });
    }
}
