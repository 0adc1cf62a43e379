package dev.agenthealth.functions.routes;

import dev.agenthealth.functions.access.Access;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The routes of a function. Thread-safe once all routes are added. */
public final class Routes {

    private final Map<String, Route> routes = new LinkedHashMap<>();

    /**
     * Adds a route.
     *
     * @param key such as {@code GET /api/v1/agents/{agent_id}}
     * @throws IllegalArgumentException where the route is there already
     */
    public Routes on(String key, Access access, Function<ApiRequest, ApiResponse> handler, Route.Option... options) {
        if (routes.putIfAbsent(key, new Route(key, access, Set.of(options), handler)) != null) {
            throw new IllegalArgumentException("the route " + key + " is declared twice");
        }
        return this;
    }

    /** All routes in the order of their declaration. */
    public Collection<Route> all() {
        return Collections.unmodifiableCollection(routes.values());
    }

    /** The keys of all routes. */
    public Set<String> keys() {
        return Collections.unmodifiableSet(routes.keySet());
    }

    Optional<Route> find(String key) {
        return Optional.ofNullable(routes.get(key));
    }
}
