package dev.agenthealth.functions.routes;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.functions.http.ApiRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the route of a request that comes through a function URL, as API Gateway does for the others. */
final class FunctionUrlEvent {

    private FunctionUrlEvent() {}

    /**
     * The event with route key and path parameters. An event that has a route, and one that no route matches, stays as it is.
     *
     * @param routeKeys such as {@code POST /api/v1/agents/{agent_id}/heartbeat}
     */
    static APIGatewayV2HTTPEvent routed(APIGatewayV2HTTPEvent event, Collection<String> routeKeys) {
        ApiRequest request = new ApiRequest(event);
        if (request.routeKey().equals(ApiRequest.NO_ROUTE)) {
            List<String> called = segments(request.method() + " " + request.path());
            for (String routeKey : routeKeys) {
                Optional<Map<String, String>> parameters = parameters(segments(routeKey), called);
                if (parameters.isPresent()) {
                    event.setRouteKey(routeKey);
                    event.setPathParameters(parameters.get());
                }
            }
        }
        return event;
    }

    /** The method stands in the first segment. */
    private static List<String> segments(String key) {
        return List.of(key.split("/", -1));
    }

    private static Optional<Map<String, String>> parameters(List<String> declared, List<String> called) {
        if (declared.size() != called.size()) {
            return Optional.empty();
        }
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < declared.size(); i++) {
            String segment = declared.get(i);
            if (segment.startsWith("{") && !called.get(i).isEmpty()) {
                parameters.put(segment.substring(1, segment.length() - 1), decoded(called.get(i)));
            } else if (!segment.equals(called.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }

    /** A segment that cannot be decoded stays as it is: no id has a percent sign. */
    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return segment;
        }
    }
}
