package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.registry.ProfileChanges;
import dev.agenthealth.functions.registry.Registration;
import dev.agenthealth.functions.registry.StatusChanges;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.registry.declarations.ObservedDeclarations;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Preconditions;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ImportedFrom;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.model.operations.source.ImportedEntry;
import dev.agenthealth.model.operations.source.Offer;
import dev.agenthealth.model.operations.source.SyncRule;
import dev.agenthealth.model.operations.source.SyncStep;
import dev.agenthealth.model.registry.lifecycle.LifecycleTransitions;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;

/** Registers, changes and deregisters the agents of sources, with the same code as requests of the source's key. Thread-safe. */
final class ImportedAgents {

    /** The errors if another key owns the agent, or registered it a moment ago. */
    private static final Set<String> NOT_OWN = Set.of("forbidden", "agent_exists");

    private final AgentStore agents;
    private final SourceStore sources;
    private final Registration registration;
    private final ProfileChanges changes;
    private final StatusChanges statuses;
    private final ObservedDeclarations declarations;
    private final Clock clock;

    ImportedAgents(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        this.agents = new AgentStore(database);
        this.sources = new SourceStore(database);
        this.registration = Registration.in(wiring, database, authenticator, log);
        this.changes = new ProfileChanges(wiring, database, new AgentAccess(agents), authenticator);
        this.statuses = new StatusChanges(database, wiring.clock());
        this.declarations = new ObservedDeclarations(database);
        this.clock = wiring.clock();
    }

    /**
     * Returns the reason for which an agent does not belong to a source, in words for operators. Empty if it belongs to it, or another source has
     * given it up.
     */
    Optional<String> conflict(Source source, ApiKey key, StoredAgent agent) {
        String other = ImportedFrom.source(agent.profile());
        if (other.isEmpty() || !key.asCaller().owns(agent.pulse().owner())) {
            return Optional.of("the agent exists and was not registered by this source");
        }
        return other.equals(source.name())
                        || sources.entry(other, agent.pulse().agentId())
                                .filter(ImportedEntry::claimsAgent)
                                .isEmpty()
                ? Optional.empty()
                : Optional.of("the agent was registered by the source '" + other + "', which still has it");
    }

    private static ObjectNode metadata(StoredAgent agent) {
        return (ObjectNode) Json.stored(agent.profile().description().metadata());
    }

    /** Returns an agent in its stored form; empty if it was erased. */
    private Optional<StoredAgent> ofSource(Source source, ApiKey key, String agentId) {
        Optional<StoredAgent> agent = agents.find(agentId);
        agent.flatMap(found -> conflict(source, key, found)).ifPresent(reason -> {
            throw new ConflictingAgentException(reason);
        });
        return agent;
    }

    private static Preconditions asRead(StoredAgent agent) {
        return new Preconditions(EntityTag.ofVersion(agent.pulse().version()).value(), "");
    }

    /**
     * Executes a step, and returns the entry to store.
     *
     * @param declaration the declaration of the offer; empty if the step does not need it
     * @throws ConflictingAgentException if the agent does not belong to the source
     * @throws UnreadableSourceException if the declaration is refused
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
                    deregister(source, key, offer.agentId());
                    entry = entry.missed(SyncRule.MISSED_TO_DEREGISTER);
                }
                default -> {
                    // For this action, only the entry is written.
                }
            }
        } catch (ApiError problem) {
            if (NOT_OWN.contains(problem.error())) {
                throw new ConflictingAgentException(problem.detail());
            }
            throw new UnreadableSourceException(problem.line());
        }
        return entry;
    }

    /** Records the declaration in an agent's card, like a probe. A difference from the accepted declaration is an event. */
    void observed(String agentId, Observation seen) {
        agents.profile(agentId).ifPresent(profile -> declarations.note(profile, "", seen, clock.instant()));
    }

    /**
     * Checks the declaration of a first registration without writing anything.
     *
     * @throws UnreadableSourceException if the declaration is refused
     */
    void check(Source source, ApiKey key, Offer offer, Declaration declaration) {
        try {
            registration.check(key.asCaller(), body(source, key, offer, declaration));
        } catch (ApiError problem) {
            throw new UnreadableSourceException(problem.line());
        }
    }

    private void register(Source source, ApiKey key, Offer offer, Declaration declaration) {
        boolean endedByOperator = agents.find(offer.agentId())
                .filter(agent -> agent.pulse().end().isByOperator())
                .isPresent();
        if (endedByOperator) {
            throw new ConflictingAgentException("an operator ended the agent; register it to let the source have it");
        }
        registration.register(key.asCaller(), body(source, key, offer, declaration));
    }

    private static Fields body(Source source, ApiKey key, Offer offer, Declaration declaration) {
        return Fields.ofBody(Json.text(declaration.registration(
                        offer.agentId(), key.keyId(), source.name(), offer.identifier(), key.providers())))
                .withEmptyTexts();
    }

    private void update(Source source, ApiKey key, Offer offer, Optional<Declaration> declaration) {
        if (declaration.isEmpty()) {
            return;
        }
        Optional<StoredAgent> found = ofSource(source, key, offer.agentId());
        if (found.filter(agent -> agent.pulse().status() == DEREGISTERED).isPresent()) {
            throw new ConflictingAgentException("the agent was deregistered, and not by this source");
        }
        if (found.filter(agent -> !agent.pulse().status().hasEnded()).isEmpty()) {
            register(source, key, offer, declaration.get());
            return;
        }
        StoredAgent agent = found.get();
        ObjectNode body = declaration
                .get()
                .changes(
                        source.name(),
                        offer.identifier(),
                        key.providers(),
                        agent.profile().watch(),
                        metadata(agent));
        changes.patch(key.asCaller(), offer.agentId(), asRead(agent), () -> Fields.ofBody(Json.text(body))
                .withEmptyTexts());
    }

    private void deregister(Source source, ApiKey key, String agentId) {
        Optional<StoredAgent> agent = ofSource(source, key, agentId)
                .filter(found -> LifecycleTransitions.allows(found.pulse().status(), DEREGISTERED));
        // Otherwise the agent is deregistered already, or was erased.
        agent.ifPresent(found -> statuses.patch(
                key.asCaller(),
                agentId,
                asRead(found),
                () -> Fields.ofBody(Json.text(Json.object().put("status", DEREGISTERED.wireName())))));
    }
}
