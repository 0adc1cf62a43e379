package dev.agenthealth.functions.telemetry;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.registry.Registration;
import dev.agenthealth.functions.storage.telemetry.SpanMapping;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.telemetry.AgentName;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Registers agents for names that a key's spans have for the first time, where the key has that switched on. Thread-safe. */
final class FirstSight {

    /** The maximum number of agents that one request registers; the others are registered by later ones. */
    static final int MAX_AGENTS = 50;

    private static final int HASH_DIGITS = 8;

    /** Leaves room for a dash and the hash. */
    private static final int MAX_WORDS = 55;

    private final TelemetryStore telemetry;
    private final Registration registration;
    private final Clock clock;

    FirstSight(TelemetryStore telemetry, Registration registration, Clock clock) {
        this.telemetry = telemetry;
        this.registration = registration;
        this.clock = clock;
    }

    /**
     * Registers an agent for each of these names, which are not mapped, and returns the agents by name. Left out are names whose agent cannot be
     * registered, and names of whole services, which would stand for every other agent of the service.
     */
    Map<AgentName, String> register(Caller caller, Collection<AgentName> names) {
        Map<AgentName, String> registered = new HashMap<>();
        if (names.isEmpty() || !telemetry.registers(caller.keyId())) {
            return registered;
        }
        names.stream().filter(name -> !name.agent().isEmpty()).limit(MAX_AGENTS).forEach(name -> {
            String agentId = agentId(caller, name);
            if (isRegistered(caller, name, agentId)) {
                telemetry.putFirst(caller.keyId(), new SpanMapping(name, agentId, true, clock.instant()));
                registered.put(name, agentId);
            }
        });
        return registered;
    }

    private boolean isRegistered(Caller caller, AgentName name, String agentId) {
        Fields body =
                Fields.ofBody(Json.text(Json.object().put("agent_id", agentId).put("name", name.agent())));
        try {
            registration.register(caller, body);
            return true;
        } catch (Problem problem) {
            // A concurrent request, or an earlier one that stopped before it mapped the name, registered it.
            return problem.error().equals("agent_exists");
        }
    }

    /** Readable, and the same for the same name and key; of another key it is another one. */
    private static String agentId(Caller caller, AgentName name) {
        String words = (name.service() + "." + name.agent())
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9._-]+", "-")
                .replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "");
        String cut = words.substring(0, Math.min(words.length(), MAX_WORDS));
        String hash = new AgentName(caller.keyId(), name.id()).id().substring(0, HASH_DIGITS);
        return cut.isEmpty() ? hash : cut + "-" + hash;
    }
}
