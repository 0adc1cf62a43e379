package dev.agenthealth.functions.api.routes;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the route of an event whose route key names no route. These events come from function URLs and from API routes for every method,
 * such as {@code ANY /api/v1/{proxy+}}. API Gateway passes a request to such a route if no other route matches its method or its trailing
 * slash.
 */
final class RoutedEvent {

    private static final String ANY_METHOD = "ANY ";

    private RoutedEvent() {}

    /**
     * Returns the event with a route key and path parameters. An event that has a route, or that no route matches, is returned unchanged.
     */
    static APIGatewayV2HTTPEvent of(APIGatewayV2HTTPEvent event, RouteFinder routes) {
        ApiRequest request = new ApiRequest(event);
        if (namesNone(request)) {
            boolean ofFunctionUrl = request.routeKey().equals(ApiRequest.NO_ROUTE);
            routes.find(request.method(), request.path()).ifPresent(found -> {
                event.setRouteKey(found.route().key());
                // API Gateway decodes paths, function URLs do not.
                event.setPathParameters(ofFunctionUrl ? decoded(found.parameters()) : found.parameters());
            });
        }
        return event;
    }

    /** Returns whether the function itself has to find the event's route. */
    static boolean namesNone(ApiRequest request) {
        return request.routeKey().equals(ApiRequest.NO_ROUTE)
                || request.routeKey().startsWith(ANY_METHOD);
    }

    private static Map<String, String> decoded(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, parameter -> decoded(parameter.getValue())));
    }

    /** Decodes a segment. A segment that cannot be decoded stays as it is: no id has a percent sign. */
    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return segment;
        }
    }
}
