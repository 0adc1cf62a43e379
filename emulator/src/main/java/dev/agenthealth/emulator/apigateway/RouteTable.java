package dev.agenthealth.emulator.apigateway;

import dev.agenthealth.template.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the route of a request as API Gateway does: the most specific matching path first, then the method itself before {@code ANY}. Paths
 * are not decoded, so that an encoded slash never splits a segment. Immutable.
 *
 * @param <T> the type of a route's target
 */
final class RouteTable<T> {

    /**
     * A route that matched.
     *
     * @param routeKey the route key of the event
     * @param rawParameters the path parameters, still percent-encoded
     */
    record Match<T>(String routeKey, T target, Map<String, String> rawParameters) {}

    private record Entry<T>(Route route, List<String> segments, T target) {}

    private final List<Entry<T>> entries;

    RouteTable(Map<Route, T> routes) {
        this.entries = routes.entrySet().stream()
                .map(route ->
                        new Entry<>(route.getKey(), segments(route.getKey().path()), route.getValue()))
                .sorted(Comparator.comparing(RouteTable::specificity))
                .toList();
    }

    /** @param rawPath the path of the request line, without the query */
    Optional<Match<T>> match(String method, String rawPath) {
        List<String> path = segments(rawPath);
        for (Entry<T> entry : entries) {
            if (entry.route().method().equals(method) || entry.route().method().equals("ANY")) {
                Optional<Map<String, String>> parameters = parameters(entry.segments(), path);
                if (parameters.isPresent()) {
                    return Optional.of(new Match<>(entry.route().routeKey(), entry.target(), parameters.get()));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Map<String, String>> parameters(List<String> pattern, List<String> path) {
        if (pattern.size() != path.size() && !isGreedy(pattern.get(pattern.size() - 1))) {
            return Optional.empty();
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < pattern.size(); i++) {
            String expected = pattern.get(i);
            if (i >= path.size()) {
                return Optional.empty();
            }
            if (isGreedy(expected)) {
                String rest = String.join("/", path.subList(i, path.size()));
                parameters.put(expected.substring(1, expected.length() - 2), rest);
                return rest.isEmpty() ? Optional.empty() : Optional.of(parameters);
            }
            String actual = path.get(i);
            if (isParameter(expected) && !actual.isEmpty()) {
                parameters.put(expected.substring(1, expected.length() - 1), actual);
            } else if (!expected.equals(actual)) {
                return Optional.empty();
            }
        }
        return pattern.size() == path.size() ? Optional.of(parameters) : Optional.empty();
    }

    private static List<String> segments(String path) {
        return new ArrayList<>(List.of(path.substring(1).split("/", -1)));
    }

    /** Sorts literal segments before parameters before greedy parameters, and a method before {@code ANY}. */
    private static String specificity(Entry<?> entry) {
        return entry.segments().stream()
                        .map(segment -> isGreedy(segment) ? "3" : isParameter(segment) ? "2" : "1")
                        .collect(Collectors.joining())
                + (entry.route().method().equals("ANY") ? "B" : "A");
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static boolean isGreedy(String segment) {
        return isParameter(segment) && segment.endsWith("+}");
    }
}
