package dev.agenthealth.functions.contract;

import java.util.Map;
import java.util.TreeMap;

/**
 * The routes of the API that take every method. They pass requests to the function of a path that no other route has: another method, HEAD,
 * OPTIONS, and a slash at the end of the path. The function then finds its route, or answers 405.
 *
 * <p>API Gateway allows 300 routes, so paths share one: all paths below a prefix that lead to one function have {@code prefix/{proxy+}}. A path that
 * leads to another function than the prefix has routes of its own.
 */
final class RoutesOfEveryMethod {

    private final Map<String, RoutesOfEveryMethod> children = new TreeMap<>();

    /** The function of this path; empty if there are only longer ones. */
    private String function = "";

    private RoutesOfEveryMethod() {}

    /**
     * Returns the function of each of these routes by its path.
     *
     * @param paths the function of each method of each path
     * @throws IllegalStateException if two functions share a path: neither could say which methods it takes
     */
    static Map<String, String> of(Map<String, Map<String, String>> paths) {
        RoutesOfEveryMethod root = new RoutesOfEveryMethod();
        Map<String, String> routes = new TreeMap<>();
        paths.forEach((path, operations) -> {
            if (operations.values().stream().distinct().count() != 1) {
                throw new IllegalStateException("the path " + path + " leads to several functions");
            }
            String function = operations.values().iterator().next();
            if (path.equals("/")) {
                routes.put(path, function);
            } else {
                root.add(path.substring(1), function);
            }
        });
        root.children.forEach((segment, child) -> child.collect("/" + segment, "", routes));
        return routes;
    }

    private void add(String path, String of) {
        int slash = path.indexOf('/');
        RoutesOfEveryMethod child = children.computeIfAbsent(
                slash < 0 ? path : path.substring(0, slash), segment -> new RoutesOfEveryMethod());
        if (slash < 0) {
            child.function = of;
        } else {
            child.add(path.substring(slash + 1), of);
        }
    }

    /** @param inherited the function of the route of the nearest prefix; empty for none */
    private void collect(String path, String inherited, Map<String, String> routes) {
        if (!function.isEmpty() && !function.equals(inherited)) {
            routes.put(path, function);
            routes.put(path + "/", function);
        }
        String below = inherited;
        Map<String, Integer> counts = new TreeMap<>();
        children.values().forEach(child -> child.count(counts));
        int most = counts.values().stream().mapToInt(count -> count).max().orElse(0);
        if (!counts.isEmpty() && (inherited.isEmpty() || counts.getOrDefault(inherited, 0) < most)) {
            below = counts.entrySet().stream()
                    .filter(count -> count.getValue() == most)
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            routes.put(path + "/{proxy+}", below);
        }
        String ofChildren = below;
        children.forEach((segment, child) -> child.collect(path + "/" + segment, ofChildren, routes));
    }

    private void count(Map<String, Integer> counts) {
        if (!function.isEmpty()) {
            counts.merge(function, 1, Integer::sum);
        }
        children.values().forEach(child -> child.count(counts));
    }
}
