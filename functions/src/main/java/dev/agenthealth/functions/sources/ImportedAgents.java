package dev.agenthealth.functions.sources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Preconditions;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.registry.ProfileChanges;
import dev.agenthealth.functions.registry.Registration;
import dev.agenthealth.functions.registry.StatusChanges;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.sources.Source;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.source.ImportedEntry;
import dev.agenthealth.model.source.Offer;
import dev.agenthealth.model.source.SyncRule;
import dev.agenthealth.model.source.SyncStep;
import java.util.Optional;
import java.util.Set;

/** Registers, changes and deregisters the agents of sources, by the same code as requests of the source's key. Thread-safe. */
final class ImportedAgents {

    private static final Preconditions ANY_VERSION = new Preconditions("*", "");

    /** Of a change of an agent that is dead or deregistered, or was erased: it states its profile when it registers again. */
    private static final Set<String> NOT_LIVE = Set.of("agent_gone", "agent_not_found");

    /** Another key owns the agent, or registered it a moment ago. */
    private static final Set<String> NOT_OWN = Set.of("forbidden", "agent_exists");

    private final Registration registration;
    private final ProfileChanges changes;
    private final StatusChanges statuses;

    ImportedAgents(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        this.registration = Registration.in(wiring, database, authenticator, log);
        this.changes = new ProfileChanges(wiring, database, new AgentAccess(new AgentStore(database)), authenticator);
        this.statuses = new StatusChanges(database, wiring.clock());
    }

    /**
     * Does what a step says, and returns the entry to note.
     *
     * @param declaration of what is offered; empty where it is not needed
     * @throws ConflictingAgentException where the agent is not the source's
     * @throws UnreadableSourceException where the declaration is refused
     */
    ImportedEntry apply(Source source, ApiKey key, SyncStep step, Optional<Declaration> declaration) {
        Offer offer = step.offer();
        ImportedEntry entry = ImportedEntry.of(offer);
        try {
            switch (step.action()) {
                case REGISTERED -> register(source, key, offer, declaration.orElseThrow());
                case UPDATED -> update(source, key, offer, declaration);
                case MISSING -> entry = entry.missed(1);
                case DEREGISTERED -> {
                    deregister(key.asCaller(), offer.agentId());
                    entry = entry.missed(SyncRule.MISSED_TO_DEREGISTER);
                }
                default -> {
                    // Only the entry is written.
                }
            }
        } catch (Problem problem) {
            if (NOT_OWN.contains(problem.error())) {
                throw new ConflictingAgentException(problem.detail());
            }
            throw new UnreadableSourceException(problem.line());
        }
        return entry;
    }

    private void register(Source source, ApiKey key, Offer offer, Declaration declaration) {
        ObjectNode body = declaration.registration(
                offer.agentId(), key.keyId(), source.name(), offer.identifier(), key.providers());
        registration.register(key.asCaller(), Fields.ofBody(Json.text(body)));
    }

    private void update(Source source, ApiKey key, Offer offer, Optional<Declaration> declaration) {
        if (declaration.isEmpty()) {
            return;
        }
        ObjectNode body = declaration.get().changes(key.providers());
        try {
            changes.patch(key.asCaller(), offer.agentId(), ANY_VERSION, () -> Fields.ofBody(Json.text(body)));
        } catch (Problem problem) {
            if (!NOT_LIVE.contains(problem.error())) {
                throw problem;
            }
            register(source, key, offer, declaration.get());
        }
    }

    private void deregister(Caller caller, String agentId) {
        ObjectNode body = Json.object().put("status", LifecycleStatus.DEREGISTERED.wireName());
        try {
            statuses.patch(caller, agentId, ANY_VERSION, () -> Fields.ofBody(Json.text(body)));
        } catch (Problem problem) {
            if (!Set.of("transition_not_allowed", "agent_not_found").contains(problem.error())) {
                throw problem;
            }
            // It is deregistered already, or was erased.
        }
    }
}
