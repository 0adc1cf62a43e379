package dev.agenthealth.emulator.apigateway;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Route;
import java.time.Clock;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The public API. As an HTTP API does, it passes a request to the function that the template's routes name. It answers an unknown route
 * with 404, a failed function with 500, and a path or query that cannot be decoded with 400.
 */
public final class ApiServer implements Endpoint {

    private static final Pattern LIMIT = Pattern.compile("\\blimit=[0-9]{1,4}");

    private static final String NO_ROUTE = "$default";

    private static final Share UNKNOWN_ROUTES = new Share("unknown routes", 16, 1_024);

    private final Function<RawRequest, Optional<RouteTable.Match<Target>>> routes;
    private final GatewayEvents events;
    private final LongRequests longRequests = new LongRequests();
    private final EmulatorLog log;

    /**
     * The target of a route.
     *
     * @param share the share of the server that the route's requests may use
     */
    private record Target(EmulatedFunction function, Share share) {}

    /**
     * @param functions all functions of the template
     * @param shares returns the share of the server that a route of a function may use
     * @throws IllegalStateException if a route leads to a function that does not take requests
     */
    public ApiServer(
            Collection<EmulatedFunction> functions,
            BiFunction<FunctionDefinition, String, Share> shares,
            Clock clock,
            EmulatorLog log) {
        this(matches(new RouteTable<>(routes(functions, shares))), clock, log);
    }

    private ApiServer(Function<RawRequest, Optional<RouteTable.Match<Target>>> routes, Clock clock, EmulatorLog log) {
        this.routes = routes;
        this.events = new GatewayEvents(clock);
        this.log = log;
    }

    /** Returns a server for the URL of one function. The function gets every request; its events name no route. */
    public static ApiServer ofFunctionUrl(
            EmulatedFunction function,
            BiFunction<FunctionDefinition, String, Share> shares,
            Clock clock,
            EmulatorLog log) {
        Target target = new Target(function, shares.apply(function.definition(), NO_ROUTE));
        return new ApiServer(request -> Optional.of(new RouteTable.Match<>(NO_ROUTE, target, Map.of())), clock, log);
    }

    private static Function<RawRequest, Optional<RouteTable.Match<Target>>> matches(RouteTable<Target> table) {
        return request -> table.match(request.method(), request.rawPath());
    }

    @Override
    public RawResponse answer(RawRequest request) {
        return routes.apply(request)
                .map(match -> {
                    RouteTable.Match<Target> usual = usual(request, match);
                    return longRequests.run(usual.target().share(), kind(request, usual), () -> answer(request, match));
                })
                .orElseGet(() -> RawResponse.problem(404, "route_not_found", "There is nothing at this path."));
    }

    @Override
    public Share share(RawRequest head) {
        return routes.apply(head)
                .map(match -> usual(head, match).target().share())
                .orElse(UNKNOWN_ROUTES);
    }

    /** Returns the route without a trailing slash and with GET instead of HEAD. Both forms of a request then use the same share of the server. */
    private RouteTable.Match<Target> usual(RawRequest request, RouteTable.Match<Target> match) {
        return match.routeKey().startsWith("ANY ")
                ? routes.apply(request.usual()).orElse(match)
                : match;
    }

    /** Returns the kind of a request. It contains the limit, since pages of different lengths differ in duration. */
    private static String kind(RawRequest request, RouteTable.Match<Target> match) {
        if (request.rawQuery().isEmpty()) {
            return match.routeKey();
        }
        Matcher limit = LIMIT.matcher(request.rawQuery());
        return limit.find() ? match.routeKey() + limit.group() : match.routeKey();
    }

    private RawResponse answer(RawRequest request, RouteTable.Match<Target> match) {
        APIGatewayV2HTTPEvent event;
        try {
            event = events.event(request, match);
        } catch (MalformedRequestException e) {
            return RawResponse.problem(400, "malformed_request", "The path or the query is not percent-encoded UTF-8.");
        }
        String requestId = event.getRequestContext().getRequestId();
        try {
            if (match.target().function().handle(event) instanceof APIGatewayV2HTTPResponse response) {
                return GatewayResponses.of(response, Map.of("Apigw-Requestid", List.of(requestId)));
            }
            log.warn("function_answered_nothing", Map.of("request_id", requestId));
        } catch (FunctionFailedException e) {
            log.failure("function_failed", requestId, e.getCause());
        } catch (IllegalArgumentException e) {
            log.failure("response_refused", requestId, e);
        }
        return RawResponse.problem(500, "internal_error", "The request failed.");
    }

    private static Map<Route, Target> routes(
            Collection<EmulatedFunction> functions, BiFunction<FunctionDefinition, String, Share> shares) {
        Map<Route, Target> routes = new LinkedHashMap<>();
        for (EmulatedFunction function : functions) {
            for (Route route : function.definition().routes()) {
                if (!function.takes(APIGatewayV2HTTPEvent.class)) {
                    throw new IllegalStateException(route.routeKey() + " leads to "
                            + function.definition().logicalId() + ", which does not take an APIGatewayV2HTTPEvent");
                }
                routes.put(route, new Target(function, shares.apply(function.definition(), route.routeKey())));
            }
        }
        return routes;
    }
}
