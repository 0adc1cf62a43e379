package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.model.identity.KeyAction;
import java.util.Set;
import java.util.function.Function;

/**
 * A declared route.
 *
 * @param key method and path in the form of the template's routes, such as {@code GET /api/v1/agents/{agent_id}}
 * @param access who may call it
 * @param options in what it differs from most routes
 * @param handler answers a request whose caller may call the route
 */
public record Route(String key, Access access, Set<Option> options, Function<ApiRequest, ApiResponse> handler) {

    /** In what a route differs from most. */
    public enum Option {
        /** Called so often that the log has every failure but only a sample of the successes. */
        SAMPLED,

        /** Changes nothing although it is no GET: viewers may call it. */
        READ_ONLY,

        /** Part of an agent's own life: open to keys that are limited to {@link KeyAction#HEARTBEAT}. */
        OWN_LIFE,

        /** Calls agents, which viewers may not even by GET: open to keys that are limited to {@link KeyAction#INVOKE}. */
        CALLS,

        /** Takes query parameters, which the handler reads and checks. */
        QUERY,

        /** Scripts of every web page may read the response, since no key is needed. */
        ANY_ORIGIN,

        /** A GET route that answers HEAD as well: the same response without its body. */
        ALSO_HEAD
    }

    public Route {
        options = Set.copyOf(options);
    }

    /**
     * Identifies the caller of a request and checks that it may call the route, with the query parameters that it sent.
     *
     * @throws ApiError 401, 403 or 400
     */
    public void admit(ApiRequest request, Authenticator authenticator) {
        authenticator.authenticate(request, access);
        request.knownCaller().ifPresent(caller -> {
            access.check(caller, changes());
            if (!caller.limits().allows(action())) {
                throw ApiError.actionNotAllowed(action());
            }
            if (action() == KeyAction.HEARTBEAT && !caller.limits().actions().isEmpty()) {
                request.identify(caller.asAgent());
            }
        });
        checkQuery(request);
    }

    /** Returns the action of the route, for keys that are limited to some actions. */
    public KeyAction action() {
        if (is(Option.OWN_LIFE)) {
            return KeyAction.HEARTBEAT;
        }
        if (is(Option.CALLS)) {
            return KeyAction.INVOKE;
        }
        return changes() ? KeyAction.CHANGE : KeyAction.READ;
    }

    private boolean changes() {
        boolean reads = key.startsWith("GET ") || key.startsWith("HEAD ");
        return !is(Option.READ_ONLY) && (!reads || is(Option.CALLS));
    }

    /**
     * Checks that a route with a key and without query parameters is called without any.
     *
     * @throws ApiError 400 naming them
     */
    private void checkQuery(ApiRequest request) {
        if (request.hasQuery() && !is(Option.QUERY) && access != Access.PUBLIC && access != Access.OPTIONAL_KEY) {
            request.queryFields().check();
        }
    }

    boolean is(Option option) {
        return options.contains(option);
    }
}
