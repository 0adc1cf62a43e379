package dev.agenthealth.functions.openintent;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.routes.Route;
import dev.agenthealth.functions.routes.Routes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The routes that OpenIntent's published SDK calls with {@code base_url=".../openintent"}. Each leads to a route of this API, whose callers
 * it has. Thread-safe.
 */
public final class OpenIntentRoutes {

    private static final String PREFIX = "/openintent";
    private static final String AGENTS = "/api/v1/agents";
    private static final String AGENT = AGENTS + "/{agent_id}";
    private static final String LEASES = "/api/v1/intents/{intent_id}/leases";
    private static final String LEASE = LEASES + "/{lease_id}";
    private static final String EVENTS = "/api/v1/intents/{intent_id}/events";

    /** The SDK reads no further page. */
    private static final int MAX_ITEMS = 1_000;

    private static final int DEFAULT_EVENTS = 100;

    private static final String LIMIT = "limit";
    private static final String STATUS = "status";
    private static final String SINCE = "since";
    private static final String EVENT_TYPE = "event_type";
    private static final String LIVE = "registering,active,draining,unhealthy";

    private static final Pattern ZONE = Pattern.compile(".*(Z|[+ -]\\d\\d:?\\d\\d)");

    private final Routes routes;

    private OpenIntentRoutes(Routes routes) {
        this.routes = routes;
    }

    /** Adds the routes of agents and leases to those that they lead to. */
    public static void addTo(Routes routes) {
        new OpenIntentRoutes(routes)
                .on("POST", AGENTS + "/register", AGENTS, OpenIntentRoutes::registration, OpenIntentJson::ofAgent)
                .on("GET", AGENT + "/record", AGENT, request -> request, OpenIntentJson::ofAgent)
                .on("GET", AGENTS, AGENTS, OpenIntentRoutes::list, OpenIntentJson::ofAgents)
                .on("PATCH", AGENT + "/status", AGENT + "/status", OpenIntentRoutes::change, OpenIntentJson::ofAgent)
                .on("POST", LEASES, LEASES, OpenIntentRoutes::acquisition, OpenIntentJson::ofLease)
                .on("GET", LEASES, LEASES, OpenIntentRoutes::all, OpenIntentJson::ofLeases)
                .on("PATCH", LEASE, LEASE, request -> request, OpenIntentJson::ofLease)
                .on("DELETE", LEASE, LEASE, request -> request, response -> response)
                .on("GET", EVENTS, OpenIntentRoutes::events);
    }

    /** Adds the route of heartbeats to the one that it leads to. */
    public static void addHeartbeatTo(Routes routes) {
        String heartbeat = AGENT + "/heartbeat";
        new OpenIntentRoutes(routes)
                .on("POST", heartbeat, heartbeat, OpenIntentJson::heartbeat, OpenIntentJson::withoutWarnings);
    }

    /** How a route answers by another one. */
    private interface Translation {
        ApiResponse answer(ApiRequest request, Function<ApiRequest, ApiResponse> other);
    }

    private OpenIntentRoutes on(
            String method,
            String path,
            String leadsTo,
            UnaryOperator<ApiRequest> toRequest,
            UnaryOperator<ApiResponse> toResponse) {
        return on(method, path, leadsTo, (request, other) -> toResponse.apply(other.apply(toRequest.apply(request))));
    }

    private OpenIntentRoutes on(String method, String path, Translation translation) {
        return on(method, path, path, translation);
    }

    private OpenIntentRoutes on(String method, String path, String leadsTo, Translation translation) {
        Route other = routes.find(method + " " + leadsTo).orElseThrow();
        routes.on(
                method + " " + PREFIX + path,
                other.access(),
                request -> readable(() -> translation.answer(request, other.handler())),
                other.options().toArray(Route.Option[]::new));
        return this;
    }

    /** The SDK shows the {@code message} of an error. */
    private static ApiResponse readable(Supplier<ApiResponse> answer) {
        try {
            return answer.get();
        } catch (Problem problem) {
            throw problem.with("message", problem.detail());
        }
    }

    /** The drain timeout is a matter of the role here: what the SDK states of one agent is not read. */
    private static ApiRequest registration(ApiRequest request) {
        return request.withBody(OpenIntentJson.changed(request.body(), body -> body.remove("drain_timeout_seconds")));
    }

    private static ApiRequest list(ApiRequest request) {
        return all(request.query(STATUS).isEmpty() ? withQuery(request, STATUS, LIVE) : request);
    }

    /** The SDK reads one page. */
    private static ApiRequest all(ApiRequest request) {
        return request.queryParameters().containsKey(LIMIT)
                ? request
                : withQuery(request, LIMIT, String.valueOf(MAX_ITEMS));
    }

    /** The SDK reads no version before it changes a status. */
    private static ApiRequest change(ApiRequest request) {
        String version = request.header("if-match");
        if (version.isEmpty()) {
            return request.withHeader("if-match", "*");
        }
        return version.chars().allMatch(Character::isDigit)
                ? request.withHeader("if-match", '"' + version + '"')
                : request;
    }

    /** The SDK names its agent in a header. */
    private static ApiRequest acquisition(ApiRequest request) {
        String agentId = request.header("x-agent-id");
        return request.withBody(OpenIntentJson.changed(request.body(), body -> {
            if (!agentId.isEmpty()) {
                body.putIfAbsent("agent_id", TextNode.valueOf(agentId));
            }
        }));
    }

    private static ApiResponse events(ApiRequest request, Function<ApiRequest, ApiResponse> other) {
        Fields query = request.queryFields();
        int limit = query.integer(LIMIT, 1, MAX_ITEMS).orElse(DEFAULT_EVENTS);
        String type = query.text(EVENT_TYPE, 64);
        String since = query.text(SINCE, 64);
        query.check();
        Map<String, String> wanted = new HashMap<>(Map.of(LIMIT, String.valueOf(MAX_ITEMS)));
        if (!since.isEmpty()) {
            wanted.put(SINCE, ZONE.matcher(since).matches() ? since : since + "Z");
        }
        return OpenIntentJson.ofEvents(other.apply(request.withQuery(wanted)), type, limit);
    }

    private static ApiRequest withQuery(ApiRequest request, String name, String value) {
        Map<String, String> query = new HashMap<>(request.queryParameters());
        query.put(name, value);
        return request.withQuery(query);
    }
}
