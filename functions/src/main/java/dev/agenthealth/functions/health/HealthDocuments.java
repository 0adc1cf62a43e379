package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.hosts.HostStore.HostMapping;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Ids;
import java.time.Clock;
import java.util.Optional;

/**
 * Health documents (Agent Health State §4). Callers with the agent's key, its coordinators and administrators get the full document, and
 * all other callers the public document. Thread-safe.
 */
public final class HealthDocuments {

    private static final String AGENT_ID = "agent_id";
    private static final String PATH = "/.well-known/agent-health";

    /** The id of a registry without a public address. */
    private static final String REGISTRY = "agent-health";

    private final HealthReadings readings;
    private final HostStore hosts;

    public HealthDocuments(Database database, Clock clock) {
        this.readings = new HealthReadings(database, clock);
        this.hosts = new HostStore(database);
    }

    /**
     * Returns the document of an agent. Without a key it may be about a second old; with a key it is current.
     *
     * @throws ApiError 404 for an unknown agent; 410 for a deregistered agent
     */
    ApiResponse ofAgent(ApiRequest request) {
        return ofAgent(request.pathId(AGENT_ID), request).answer(request);
    }

    /**
     * Returns the document of an agent as JSON.
     *
     * @throws ApiError as {@link #ofAgent(ApiRequest)}
     */
    public ObjectNode json(String agentId, ApiRequest request) {
        return ofAgent(agentId, request).json();
    }

    private HealthDocument ofAgent(String agentId, ApiRequest request) {
        Optional<Caller> caller = request.knownCaller();
        if (caller.isEmpty()) {
            return HealthDocument.ofPublic(
                    readings.recent(agentId), request.served().publicAddress());
        }
        StoredAgent agent = readings.agent(agentId);
        HealthReading reading =
                readings.observed(readings.fresh(agent), agent.profile().watch().intervalSeconds());
        return caller.get().mayActOn(agent.pulse().owner(), agent.profile().roleId())
                ? HealthDocument.whole(reading, request.served().publicAddress())
                : HealthDocument.ofPublic(reading, request.served().publicAddress());
    }

    /**
     * Returns the document of the agent in {@code agent_id}. Without this parameter, returns the document of the agent that the requested
     * host is mapped to, or of the registry.
     *
     * @throws ApiError as {@link #ofAgent}, and 400 if {@code agent_id} is invalid
     */
    ApiResponse ofHost(ApiRequest request) {
        Fields query = request.queryFieldsOfPublic(AGENT_ID);
        String agentId = query.id(AGENT_ID);
        if (query.mentions(AGENT_ID) && query.text(AGENT_ID).isEmpty()) {
            // An empty id must not return the document of the registry.
            query.refuse(AGENT_ID, Ids.RULE);
        }
        query.check();
        if (!agentId.isEmpty()) {
            return ofAgent(agentId, request).answer(request);
        }
        boolean fresh = request.knownCaller().isPresent();
        String host = request.served().hostName();
        Optional<HostMapping> mapping = host.isEmpty() ? Optional.empty() : hosts.find(host, fresh);
        return mapping.map(found -> ofAgent(found.agentId(), request))
                .orElseGet(() -> HealthDocument.ofRegistry(
                        readings.ofRegistry(fresh),
                        request.served().publicAddress().map(url -> url + PATH).orElse(REGISTRY)))
                .answer(request);
    }
}
