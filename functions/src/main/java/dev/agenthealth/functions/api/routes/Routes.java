package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
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
     * Adds a route, and also the HEAD route if the GET route is {@link Route.Option#ALSO_HEAD}.
     *
     * @param key such as {@code GET /api/v1/agents/{agent_id}}
     * @throws IllegalArgumentException if the function already has the route
     */
    public Routes on(String key, Access access, Function<ApiRequest, ApiResponse> handler, Route.Option... options) {
        Route route = new Route(key, access, Set.of(options), handler);
        add(route);
        if (route.is(Route.Option.ALSO_HEAD)) {
            add(new Route(key.replaceFirst("^GET ", "HEAD "), access, route.options(), request -> handler.apply(request)
                    .withoutBody()));
        }
        return this;
    }

    private void add(Route route) {
        if (routes.putIfAbsent(route.key(), route) != null) {
            throw new IllegalArgumentException("the route " + route.key() + " is declared twice");
        }
    }

    /** Returns all routes in the order of their declaration. */
    public Collection<Route> all() {
        return Collections.unmodifiableCollection(routes.values());
    }

    /** Returns the keys of all routes. */
    public Set<String> keys() {
        return Collections.unmodifiableSet(routes.keySet());
    }

    /** Returns the route with this key; empty if there is none. */
    public Optional<Route> find(String key) {
        return Optional.ofNullable(routes.get(key));
    }
}
