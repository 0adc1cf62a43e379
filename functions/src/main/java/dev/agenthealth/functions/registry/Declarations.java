package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.declaration.DeclarationDifference;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import java.util.Optional;

/** Returns the declarations of agents, and accepts them. Thread-safe. */
final class Declarations {

    /** The field of a record with the declaration. */
    static final String DECLARATION = "declaration";

    private static final String DIGEST = "digest";
    private static final int DIGEST_LENGTH = 64;

    private final Database database;
    private final AgentStore agents;
    private final DeclarationStore declarations;

    Declarations(Database database) {
        this.database = database;
        this.agents = new AgentStore(database);
        this.declarations = new DeclarationStore(database);
    }

    /** Returns the declaration of an agent; null if none was observed. Reads it only if there may be one. */
    JsonNode json(StoredAgent agent) {
        boolean mayBeKnown =
                agent.profile().asked().isWatched() || agent.pulse().declarationChanged();
        DeclarationState state = mayBeKnown ? declarations.current(agent.pulse().agentId()) : DeclarationState.NONE;
        return state.isKnown() ? json(state) : NullNode.getInstance();
    }

    private static ObjectNode json(DeclarationState state) {
        ObjectNode json = Json.object()
                .put(DIGEST, state.present().digest())
                .put("observed_at", Timestamps.text(state.observedAt()));
        if (!state.isChanged()) {
            return json.putNull("change");
        }
        DeclarationDifference difference = state.difference();
        ObjectNode change = json.putObject("change").put("of", state.changeOf().wireName());
        difference.added().forEach(change.putArray("added")::add);
        difference.removed().forEach(change.putArray("removed")::add);
        difference.altered().forEach(change.putArray("altered")::add);
        change.put("detected_at", Timestamps.text(state.observedAt()))
                .put(DIGEST, state.present().digest())
                .put("accepted_digest", state.accepted().digest());
        return json;
    }

    /**
     * Accepts the current declaration of an agent, if it has the digest in the body.
     *
     * @throws ApiError 400 for an invalid body; 404 for an unknown agent; 409 if the current declaration has another digest
     */
    StoredAgent accept(Author author, String agentId, Fields body) {
        String digest = body.text(DIGEST, DIGEST_LENGTH);
        body.require(DIGEST);
        body.refuseUnknown();
        body.check();
        return OptimisticUpdates.untilPresent(() -> {
            StoredAgent agent = agents.find(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
            DeclarationState seen = declarations.current(agentId);
            if (!seen.isKnown() || !seen.present().digest().equals(digest)) {
                throw ApiError.conflict(
                        "declaration_changed",
                        "What agent '" + agentId
                                + "' declares has another digest. Read its record, and accept that one.");
            }
            DeclarationChange change = new DeclarationChange(seen, seen.acceptPresent());
            return !seen.isChanged()
                            || recording(author, agentId, digest)
                                    .write(
                                            agent.pulse(),
                                            agent.archived(),
                                            agent.profile().roleId(),
                                            change)
                    ? agents.find(agentId)
                    : Optional.empty();
        });
    }

    private DeclarationStore recording(Author author, String agentId, String digest) {
        AuditEntry entry = AuditEntry.of(
                author,
                "agent.declaration_accepted",
                AuditObject.agent(agentId),
                Json.object().put(DIGEST, digest));
        return AuditStore.recording(database, entry, DeclarationStore::new);
    }
}
