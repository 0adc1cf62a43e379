package dev.agenthealth.functions.api.routes;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the route of a function by method and path, with the rules of API Gateway: literal segments go before parameters. A path with a
 * slash at its end is the same resource. A GET route also answers HEAD, unless the route calls an agent.
 */
final class RouteFinder {

    private static final List<String> ORDER = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final Collection<Route> routes;

    /** @param routes read at each request, because routes may still be added */
    RouteFinder(Collection<Route> routes) {
        this.routes = routes;
    }

    /** A route, with the segments of the path that match its parameters. */
    record Found(Route route, Map<String, String> parameters) {}

    /** Returns the route of a request. A HEAD request without its own route gets the GET route. */
    Optional<Found> find(String method, String path) {
        Optional<Found> found = best(method, path);
        return found.isPresent() || !method.equals("HEAD")
                ? found
                : best("GET", path).filter(get -> !get.route().is(Route.Option.CALLS));
    }

    /** Returns the methods that a path takes, in the order of the documents; empty if the path takes no method. */
    Set<String> methodsAt(String path) {
        Set<String> methods = new TreeSet<>(Comparator.comparing(ORDER::indexOf));
        ORDER.stream().filter(method -> find(method, path).isPresent()).forEach(methods::add);
        if (!methods.isEmpty()) {
            methods.add("OPTIONS");
        }
        return methods;
    }

    private Optional<Found> best(String method, String path) {
        List<String> called =
                segments(path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
        return routes.stream()
                .filter(route -> route.key().startsWith(method + " "))
                .flatMap(route ->
                        parameters(segments(path(route)), called)
                                .map(parameters -> new Found(route, parameters))
                                .stream())
                .min(Comparator.comparing(found -> specificity(path(found.route()))));
    }

    private static String path(Route route) {
        return route.key().substring(route.key().indexOf(' ') + 1);
    }

    private static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    private static String specificity(String path) {
        return String.join(
                "",
                segments(path).stream()
                        .map(segment -> segment.startsWith("{") ? "2" : "1")
                        .toList());
    }

    private static Optional<Map<String, String>> parameters(List<String> declared, List<String> called) {
        if (declared.size() != called.size()) {
            return Optional.empty();
        }
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < declared.size(); i++) {
            String segment = declared.get(i);
            if (segment.startsWith("{") && !called.get(i).isEmpty()) {
                parameters.put(segment.substring(1, segment.length() - 1), called.get(i));
            } else if (!segment.equals(called.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }
}
