package dev.agenthealth.emulator.apigateway;

import dev.agenthealth.template.Route;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the route of a request as API Gateway does: the most specific matching path first, then the method itself before {@code ANY}. Paths
 * are not decoded, so that an encoded slash never splits a segment. Routes form a tree of segments, so that a request is compared with few
 * of them. Immutable.
 *
 * @param <T> the type of a route's target
 */
final class RouteTable<T> {

    private static final String ANY = "ANY";

    /**
     * A route that matched.
     *
     * @param routeKey the route key of the event
     * @param rawParameters the path parameters, still percent-encoded
     */
    record Match<T>(String routeKey, T target, Map<String, String> rawParameters) {}

    private record Entry<T>(Route route, List<String> segments, T target) {

        /** Returns the match of a path with as many segments as the pattern, or more if the pattern is greedy. */
        Match<T> match(String[] path) {
            Map<String, String> parameters = new LinkedHashMap<>();
            for (int i = 0; i < segments.size(); i++) {
                String segment = segments.get(i);
                if (isGreedy(segment)) {
                    parameters.put(segment.substring(1, segment.length() - 2), rest(path, i));
                } else if (isParameter(segment)) {
                    parameters.put(segment.substring(1, segment.length() - 1), path[i]);
                }
            }
            return new Match<>(route.routeKey(), target, parameters);
        }
    }

    /** The routes that share their first segments. Mutable only while the table is built. */
    private static final class Node<T> {

        private final Map<String, Node<T>> literals = new HashMap<>();
        private final Map<String, Entry<T>> byMethod = new HashMap<>();
        private final Map<String, Entry<T>> greedyByMethod = new HashMap<>();
        private Node<T> parameter;

        void add(Entry<T> entry, int depth) {
            if (depth == entry.segments().size()) {
                byMethod.putIfAbsent(entry.route().method(), entry);
                return;
            }
            String segment = entry.segments().get(depth);
            if (isGreedy(segment)) {
                greedyByMethod.putIfAbsent(entry.route().method(), entry);
                return;
            }
            if (isParameter(segment)) {
                if (parameter == null) {
                    parameter = new Node<>();
                }
                parameter.add(entry, depth + 1);
            } else {
                literals.computeIfAbsent(segment, s -> new Node<>()).add(entry, depth + 1);
            }
        }

        /** Returns the most specific route below this node, or null. Its depth is at most the number of segments of the longest route. */
        Entry<T> find(String method, String[] path, int depth) {
            if (depth == path.length) {
                return of(byMethod, method);
            }
            Node<T> literal = literals.get(path[depth]);
            Entry<T> found = literal == null ? null : literal.find(method, path, depth + 1);
            if (found == null && parameter != null && !path[depth].isEmpty()) {
                found = parameter.find(method, path, depth + 1);
            }
            if (found == null && !greedyByMethod.isEmpty() && !rest(path, depth).isEmpty()) {
                found = of(greedyByMethod, method);
            }
            return found;
        }

        private static <T> Entry<T> of(Map<String, Entry<T>> entries, String method) {
            Entry<T> own = entries.get(method);
            return own == null ? entries.get(ANY) : own;
        }
    }

    private final Node<T> root = new Node<>();

    RouteTable(Map<Route, T> routes) {
        routes.forEach((route, target) -> root.add(new Entry<>(route, List.of(segments(route.path())), target), 0));
    }

    /** @param rawPath the path of the request line, without the query */
    Optional<Match<T>> match(String method, String rawPath) {
        String[] path = segments(rawPath);
        return Optional.ofNullable(root.find(method, path, 0)).map(entry -> entry.match(path));
    }

    private static String[] segments(String path) {
        int count = 1;
        for (int i = 1; i < path.length(); i++) {
            count += path.charAt(i) == '/' ? 1 : 0;
        }
        String[] segments = new String[count];
        int from = 1;
        for (int i = 0; i < count - 1; i++) {
            int to = path.indexOf('/', from);
            segments[i] = path.substring(from, to);
            from = to + 1;
        }
        segments[count - 1] = path.substring(from);
        return segments;
    }

    private static String rest(String[] path, int from) {
        return String.join("/", List.of(path).subList(from, path.length));
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static boolean isGreedy(String segment) {
        return isParameter(segment) && segment.endsWith("+}");
    }
}
