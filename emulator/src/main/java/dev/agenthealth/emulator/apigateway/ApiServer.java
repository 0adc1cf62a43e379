package dev.agenthealth.emulator.apigateway;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.Route;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The public door: takes a request to the function that the template's routes name for it, as an HTTP API does. An unknown
 * route, which includes a known path with another method, gets 404; a function that fails, 500; a body above 10 MB, 413; a
 * request line that cannot be decoded, 400.
 */
public final class ApiServer implements HttpHandler {

    /** API Gateway's own limit of a request's body. */
    private static final int MAXIMUM_BODY_BYTES = 10 * 1024 * 1024;

    private final RouteTable<EmulatedFunction> routes;
    private final Map<String, HttpHandler> localPages;
    private final GatewayEvents events;
    private final EmulatorLog log;

    /**
     * @param functions those of the template, whether or not routes lead to them
     * @param localPages what this door serves besides the template's routes, by exact path
     * @throws IllegalStateException when a route leads to a function that does not take requests
     */
    public ApiServer(
            Collection<EmulatedFunction> functions, Map<String, HttpHandler> localPages, Clock clock, EmulatorLog log) {
        this.routes = new RouteTable<>(routes(functions));
        this.localPages = Map.copyOf(localPages);
        this.events = new GatewayEvents(clock);
        this.log = log;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String path = RawRequest.rawPath(exchange.getRequestURI());
        HttpHandler localPage = localPages.get(path);
        if (localPage != null) {
            localPage.handle(exchange);
            return;
        }
        Optional<RouteTable.Match<EmulatedFunction>> match = routes.match(exchange.getRequestMethod(), path);
        Optional<byte[]> body = Exchanges.body(exchange, MAXIMUM_BODY_BYTES);
        if (match.isEmpty()) {
            Exchanges.sendMessage(exchange, 404, "Not Found");
        } else if (body.isEmpty()) {
            Exchanges.sendMessage(exchange, 413, "Request Entity Too Large");
        } else {
            answer(exchange, RawRequest.of(exchange, body.get()), match.get());
        }
    }

    private void answer(HttpExchange exchange, RawRequest request, RouteTable.Match<EmulatedFunction> match)
            throws IOException {
        APIGatewayV2HTTPEvent event;
        try {
            event = events.event(request, match);
        } catch (MalformedRequestException e) {
            Exchanges.sendMessage(exchange, 400, "Bad Request");
            return;
        }
        String requestId = event.getRequestContext().getRequestId();
        try {
            if (match.target().handle(event) instanceof APIGatewayV2HTTPResponse response) {
                GatewayResponses.send(exchange, response, requestId);
                return;
            }
            log.warn("function_answered_nothing", Map.of("request_id", requestId));
        } catch (FunctionFailedException e) {
            log.failure("function_failed", requestId, e.getCause());
        } catch (IllegalArgumentException e) {
            log.failure("response_refused", requestId, e);
        }
        exchange.getResponseHeaders().clear();
        Exchanges.sendMessage(exchange, 500, "Internal Server Error");
    }

    private static Map<Route, EmulatedFunction> routes(Collection<EmulatedFunction> functions) {
        Map<Route, EmulatedFunction> routes = new LinkedHashMap<>();
        for (EmulatedFunction function : functions) {
            for (Route route : function.definition().routes()) {
                if (!function.takes(APIGatewayV2HTTPEvent.class)) {
                    throw new IllegalStateException(route.routeKey() + " leads to "
                            + function.definition().logicalId() + ", which does not take an APIGatewayV2HTTPEvent");
                }
                routes.put(route, function);
            }
        }
        return routes;
    }
}
