package dev.agenthealth.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.routes.Route;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.model.identity.Caller;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Calls of this API's routes for the caller of a request, as if it had sent them itself. Thread-safe. */
public final class ApiCalls {

    private final Routes routes;
    private final Authenticator authenticator;
    private final Function<String, Optional<Problem>> refusal;

    /**
     * @param routes the routes that may be called
     * @param refusal why the gateway would refuse to call the agent with this id; empty where it would call it
     */
    public ApiCalls(Routes routes, Authenticator authenticator, Function<String, Optional<Problem>> refusal) {
        this.routes = routes;
        this.authenticator = authenticator;
        this.refusal = refusal;
    }

    /** Whether the caller's key allows the route. */
    boolean mayCall(Caller caller, String routeKey) {
        return route(routeKey).isOpenTo(caller);
    }

    /** Why the gateway would refuse to call the agent; empty where it would call it. */
    Optional<Problem> refusal(String agentId) {
        return refusal.apply(agentId);
    }

    /**
     * The answer of a route about an agent.
     *
     * @throws Problem where the route refuses the request
     */
    ObjectNode ofAgent(ApiRequest caller, String routeKey, String agentId) {
        return send(caller, routeKey, Map.of("agent_id", agentId), Map.of(), Map.of(), "");
    }

    /**
     * The answer of a route with query parameters.
     *
     * @throws Problem where the route refuses the request
     */
    ObjectNode query(ApiRequest caller, String routeKey, Map<String, String> query) {
        return send(caller, routeKey, Map.of(), query, Map.of(), "");
    }

    /**
     * The answer of a route about an agent that takes a body.
     *
     * @throws Problem where the route refuses the request
     */
    ObjectNode post(ApiRequest caller, String routeKey, String agentId, Map<String, String> headers, JsonNode body) {
        return send(caller, routeKey, Map.of("agent_id", agentId), Map.of(), headers, Json.text(body));
    }

    private ObjectNode send(
            ApiRequest caller,
            String routeKey,
            Map<String, String> path,
            Map<String, String> query,
            Map<String, String> headers,
            String body) {
        Route route = route(routeKey);
        ApiRequest request = caller.toRoute(routeKey, path, query, headers, body);
        route.admit(request, authenticator);
        return (ObjectNode) Json.stored(route.handler().apply(request).body());
    }

    private Route route(String routeKey) {
        return routes.find(routeKey).orElseThrow(() -> new IllegalStateException("there is no route " + routeKey));
    }
}
