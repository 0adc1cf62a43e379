package dev.agenthealth.functions.contract;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.model.identity.Role;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The callers that a route accepts, as documents name them. */
final class RouteCallers {

    private RouteCallers() {}

    /** Returns the wire names of the roles whose keys the route accepts; none for a public route. */
    static List<String> roles(Route route) {
        return Arrays.stream(Role.values())
                .filter(role -> !cell(route, role).isEmpty() && route.access() != Access.PUBLIC)
                .map(Role::wireName)
                .toList();
    }

    /** Returns the roles for the column "keys" of a table of routes. */
    static String keys(Route route) {
        return switch (route.access()) {
            case PUBLIC -> "none";
            case OPTIONAL_KEY -> "none, or any";
            default -> String.join(", ", roles(route));
        };
    }

    /** Returns the access matrix in Markdown: a row for each route, without those of HEAD. */
    static String matrix(List<Route> routes) {
        StringBuilder text = new StringBuilder("| request | no key |");
        Arrays.stream(Role.values())
                .forEach(role -> text.append(' ').append(role.wireName()).append(" |"));
        text.append("\n|---|---|").append("---|".repeat(Role.values().length)).append('\n');
        for (Route route : routes) {
            if (!route.key().startsWith("HEAD ")) {
                boolean open = route.access() == Access.PUBLIC || route.access() == Access.OPTIONAL_KEY;
                text.append("| `")
                        .append(route.key())
                        .append("` | ")
                        .append(open ? "yes" : "")
                        .append(" | ")
                        .append(Arrays.stream(Role.values())
                                .map(role -> cell(route, role))
                                .collect(Collectors.joining(" | ")))
                        .append(" |\n");
            }
        }
        return text.toString().replaceAll("\\|  (?=\\|)", "| ");
    }

    /** Returns what the keys of a role may do with a route; empty where they are refused. */
    private static String cell(Route route, Role role) {
        boolean gets = route.key().startsWith("GET ") || route.key().startsWith("HEAD ");
        boolean reads = route.options().contains(Route.Option.READ_ONLY)
                || gets && !route.options().contains(Route.Option.CALLS);
        if (role == Role.VIEWER && !reads && route.access() != Access.PUBLIC) {
            return "";
        }
        String limited = role == Role.ADMINISTRATOR ? "yes" : "its roles";
        return switch (route.access()) {
            case PUBLIC, OPTIONAL_KEY, ANY_KEY -> "yes";
            case UNVERIFIED_KEY -> "own";
            case AGENT -> role == Role.AGENT ? "own" : limited;
            case OWNER -> role == Role.VIEWER ? "" : role == Role.ADMINISTRATOR ? "yes" : "own";
            case COORDINATOR -> role == Role.AGENT ? "" : limited;
            case COORDINATOR_OF_ALL_ROLES -> role == Role.AGENT ? "" : role == Role.ADMINISTRATOR ? "yes" : "all roles";
            case ADMINISTRATOR -> role == Role.ADMINISTRATOR ? "yes" : "";
        };
    }
}
