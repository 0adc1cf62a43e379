package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.model.identity.KeyAction;
import java.util.Set;
import java.util.function.Function;

/**
 * A declared route: the method and path of a request, the callers that may use it, and the handler that answers.
 *
 * <p>A feature declares its routes once, in the class that has their handlers, and {@link Routes#on} adds them to a function.
 * {@link HttpFunction} finds the route of each request. It then calls {@link #admit}, which authenticates the caller and checks the role,
 * the limits of the key and the query parameters. The handler runs only if all these checks succeed, so a handler never decides about
 * roles. A handler of one agent finds the agent by {@link dev.agenthealth.functions.api.access.AgentAccess}, which checks the access to
 * this agent.
 *
 * <p>Most routes need only a key, an access and a handler. An {@link Option} declares each difference, for example:
 *
 * <pre>{@code
 * routes.on("POST /mcp", Access.ANY_KEY, this::answer, Route.Option.SAMPLED, Route.Option.READ_ONLY);
 * }</pre>
 *
 * @param key method and path in the form of the template's routes, such as {@code GET /api/v1/agents/{agent_id}}
 * @param access the callers that may use the route
 * @param options the differences from most routes
 * @param handler answers a request of a caller that may use the route
 */
public record Route(String key, Access access, Set<Option> options, Function<ApiRequest, ApiResponse> handler) {

    private static final Set<Access> IGNORING_QUERIES =
            Set.of(Access.PUBLIC, Access.OPTIONAL_KEY, Access.UNVERIFIED_KEY);

    /** A difference from most routes. */
    public enum Option {
        /** Callers send the request so often that the log has every failure, but only a sample of the successes. */
        SAMPLED,

        /** The route changes nothing although its method is not GET. Viewers may call it. */
        READ_ONLY,

        /** The route belongs to an agent's own life. Keys that are limited to {@link KeyAction#HEARTBEAT} may call it. */
        OWN_LIFE,

        /** The route calls agents. Viewers may not call it, even by GET. Keys that are limited to {@link KeyAction#INVOKE} may call it. */
        CALLS,

        /** The route takes query parameters, which the handler reads and checks. */
        QUERY,

        /** Scripts of every web page may read the response, because the route needs no key. */
        ANY_ORIGIN,

        /** The GET route also answers HEAD, with the same response without its body. */
        ALSO_HEAD
    }

    public Route {
        options = Set.copyOf(options);
    }

    /**
     * Identifies the caller of a request, and checks that the caller may use the route and that the request has no unexpected query
     * parameters.
     *
     * @throws ApiError 401, 403 or 400
     */
    public void admit(ApiRequest request, Authenticator authenticator) {
        authenticator.authenticate(request, access);
        request.knownCaller().ifPresent(caller -> {
            access.check(caller, changes());
            if (!caller.limits().allows(action())) {
                throw AccessError.actionNotAllowed(action());
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
     * Refuses query parameters if the route takes none and requires a key. Heartbeats ignore query parameters, because no detail costs a
     * heartbeat.
     *
     * @throws ApiError 400 naming the parameters
     */
    private void checkQuery(ApiRequest request) {
        if (!request.queryParameters().isEmpty() && !is(Option.QUERY) && !IGNORING_QUERIES.contains(access)) {
            request.queryFields().check();
        }
    }

    boolean is(Option option) {
        return options.contains(option);
    }
}
