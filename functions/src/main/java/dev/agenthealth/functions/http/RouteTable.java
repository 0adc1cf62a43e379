package dev.agenthealth.functions.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Which route a function answers with what: one line a route, in the form of the template's routes. */
public final class RouteTable {

    private final Map<String, Function<ApiRequest, ApiResponse>> routes = new LinkedHashMap<>();

    /** Adds a route, such as {@code GET /api/v1/agents/{agent_id}}. */
    public RouteTable on(String routeKey, Function<ApiRequest, ApiResponse> answer) {
        if (routes.putIfAbsent(routeKey, answer) != null) {
            throw new IllegalArgumentException("two answers for " + routeKey);
        }
        return this;
    }

    /** The keys of all routes. */
    public Set<String> routeKeys() {
        return Set.copyOf(routes.keySet());
    }

    /**
     * The answer to a request.
     *
     * @throws Problem 404 where the route is none of this function's
     */
    ApiResponse answer(ApiRequest request) {
        Function<ApiRequest, ApiResponse> answer = routes.get(request.routeKey());
        if (answer == null) {
            throw Problem.notFound("route_not_found", "There is nothing at this path.");
        }
        return answer.apply(request);
    }
}
