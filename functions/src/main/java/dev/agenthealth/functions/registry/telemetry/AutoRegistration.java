package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.registry.Registration;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.telemetry.AgentName;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Registers agents for unmapped names in a key's spans, if the key has this setting on. Thread-safe. */
final class AutoRegistration {

    /** The maximum number of agents that one request registers. Later requests register the others. */
    static final int MAX_AGENTS = 50;

    private static final int SUFFIX_DIGITS = 8;

    /** The maximum length of the readable part, which leaves room for a dash and the suffix. */
    private static final int MAX_WORDS = 55;

    private final TelemetryStore telemetry;
    private final AgentStore agents;
    private final Registration registration;
    private final Clock clock;

    AutoRegistration(Database database, Registration registration, Clock clock) {
        this.telemetry = new TelemetryStore(database);
        this.agents = new AgentStore(database);
        this.registration = registration;
        this.clock = clock;
    }

    /**
     * Registers an agent for each of these unmapped names, and returns the mappings. Leaves out names whose agent cannot be registered, and
     * names of whole services, which would include every other agent of the service.
     */
    Map<AgentName, SpanMapping> register(Caller caller, Collection<AgentName> names) {
        Map<AgentName, SpanMapping> registered = new HashMap<>();
        if (names.isEmpty() || !telemetry.registers(caller.keyId())) {
            return registered;
        }
        names.stream().filter(name -> !name.agent().isEmpty()).limit(MAX_AGENTS).forEach(name -> registered(
                        caller, name)
                .ifPresent(agentId -> registered.put(name, mapped(caller, name, agentId))));
        return registered;
    }

    /**
     * Registers the agent of a name and returns its id. The id depends only on the name and the key. If another key has taken this id,
     * perhaps to block the name, the id is random.
     */
    private Optional<String> registered(Caller caller, AgentName name) {
        String usual = agentId(name, new AgentName(caller.keyId(), name.id()).id());
        if (register(caller, name, usual)) {
            return Optional.of(usual);
        }
        boolean taken = agents.find(usual)
                .filter(agent -> !caller.owns(agent.pulse().owner()))
                .isPresent();
        return Optional.of(agentId(name, UUID.randomUUID().toString()))
                .filter(other -> taken && register(caller, name, other));
    }

    /** Registers an agent. Returns whether it is registered and owned by the caller. */
    private boolean register(Caller caller, AgentName name, String agentId) {
        Optional<Pulse> before = agents.find(agentId).map(StoredAgent::pulse);
        if (before.filter(pulse -> pulse.end().isByOperator()).isPresent()) {
            // If an operator ended the agent, its spans count, but do not register it again.
            return caller.owns(before.get().owner());
        }
        Fields body = Fields.ofBody(
                        Json.text(Json.object().put("agent_id", agentId).put("name", name.agent())))
                .withEmptyTexts();
        try {
            registration.register(caller, body);
            return true;
        } catch (ApiError problem) {
            // Another request registered the agent: a concurrent one, or an earlier one that stopped before it mapped
            // the name.
            return problem.error().equals("agent_exists")
                    && agents.find(agentId)
                            .filter(agent -> caller.owns(agent.pulse().owner()))
                            .isPresent();
        }
    }

    /** Maps a name to an agent unless it is mapped already. Returns the mapping of the name. */
    private SpanMapping mapped(Caller caller, AgentName name, String agentId) {
        SpanMapping mapping = new SpanMapping(name, agentId, false, true, clock.instant());
        return telemetry.putFirst(caller.keyId(), mapping)
                ? mapping
                : telemetry.find(caller.keyId(), List.of(name)).getOrDefault(name, mapping);
    }

    /** Returns a readable id. */
    private static String agentId(AgentName name, String suffix) {
        String words = (name.service() + "." + name.agent())
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9._-]+", "-")
                .replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "");
        String cut = words.substring(0, Math.min(words.length(), MAX_WORDS));
        String digits = suffix.substring(0, SUFFIX_DIGITS);
        return cut.isEmpty() ? digits : cut + "-" + digits;
    }
}
