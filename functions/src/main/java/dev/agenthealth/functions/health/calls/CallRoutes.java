package dev.agenthealth.functions.health.calls;

import static dev.agenthealth.functions.api.access.Access.COORDINATOR_OF_ALL_ROLES;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.trust.CallSumsStore;
import dev.agenthealth.functions.storage.trust.CallSumsStore.Pair;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.gateway.CallHours;
import dev.agenthealth.model.gateway.CallSums;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The route that shows who calls whom through the gateway. A caller is a key. If the key owns a single agent, the answer names the agent as the
 * caller. Thread-safe.
 */
public final class CallRoutes {

    /** The maximum number of pairs in an answer. */
    private static final int MAX_PAIRS = 200;

    /** The maximum number of callers whose names are read. */
    private static final int MAX_NAMED = 50;

    private static final int DEFAULT_HOURS = 24;

    private static final Comparator<Map.Entry<Pair, CallSums>> MOST_CALLS = Comparator.comparingLong(
                    (Map.Entry<Pair, CallSums> entry) -> -entry.getValue().calls())
            .thenComparing(entry -> entry.getKey().keyId())
            .thenComparing(entry -> entry.getKey().agentId());

    private final CallSumsStore calls;
    private final AgentStore agents;
    private final DiscoveryStore discovery;
    private final KeyStore keys;
    private final Clock clock;

    public CallRoutes(Database database, Clock clock) {
        this.calls = new CallSumsStore(database);
        this.agents = new AgentStore(database);
        this.discovery = new DiscoveryStore(database);
        this.keys = new KeyStore(database);
        this.clock = clock;
    }

    public void addTo(Routes routes) {
        routes.on("GET /api/v1/calls", COORDINATOR_OF_ALL_ROLES, this::list, QUERY);
    }

    /** {@code GET /api/v1/calls}: lists callers and the agents that they call, the most calls first. */
    private ApiResponse list(ApiRequest request) {
        Fields query = request.queryFields();
        String agentId = query.id("agent_id");
        int hours = query.integer("hours", 1, CallHours.MAX_HOURS).orElse(DEFAULT_HOURS);
        query.check();
        Instant now = clock.instant();
        CallHours window = CallHours.last(hours, now);
        CallSumsStore.Read read = calls.of(window);
        List<Map.Entry<Pair, CallSums>> found =
                of(agentId, read.sums()).sorted(MOST_CALLS).toList();
        List<Map.Entry<Pair, CallSums>> shown = found.stream().limit(MAX_PAIRS).toList();
        ObjectNode json = Json.object()
                .put("from", Timestamps.text(window.from()))
                .put("to", Timestamps.text(now))
                .put("hours", hours);
        ArrayNode array = json.putArray("calls");
        Map<String, ObjectNode> callers = new HashMap<>();
        for (Map.Entry<Pair, CallSums> entry : shown) {
            Pair pair = entry.getKey();
            boolean named = callers.size() < MAX_NAMED || callers.containsKey(pair.keyId());
            ObjectNode caller = named ? callers.computeIfAbsent(pair.keyId(), this::caller) : unnamed(pair.keyId());
            CallSums sums = entry.getValue();
            ObjectNode row = array.addObject();
            row.set("caller", caller.deepCopy());
            row.put("agent_id", pair.agentId())
                    .put("calls", sums.calls())
                    .put("failures", sums.failures())
                    .put("failure_rate", sums.failureRate());
        }
        return ApiResponse.json(200, json.put("truncated", read.truncated() || found.size() > shown.size()));
    }

    /** Returns the calls of an agent and the calls by its owner's key; all calls without an agent. */
    private Stream<Map.Entry<Pair, CallSums>> of(String agentId, Map<Pair, CallSums> sums) {
        if (agentId.isEmpty()) {
            return sums.entrySet().stream();
        }
        String owner =
                agents.find(agentId).map(agent -> agent.pulse().owner().keyId()).orElse("");
        return sums.entrySet().stream()
                .filter(entry -> entry.getKey().agentId().equals(agentId)
                        || !owner.isEmpty() && entry.getKey().keyId().equals(owner));
    }

    private ObjectNode caller(String keyId) {
        ObjectNode caller = unnamed(keyId);
        Optional<ApiKey> key = keys.find(keyId);
        key.map(ApiKey::name).filter(name -> !name.isEmpty()).ifPresent(name -> caller.put("name", name));
        discovery.onlyAgentOf(Caller.ofWorkloads(keyId)).ifPresent(agentId -> caller.put("agent_id", agentId));
        return caller;
    }

    private static ObjectNode unnamed(String keyId) {
        return Json.object().put("key_id", keyId);
    }
}
