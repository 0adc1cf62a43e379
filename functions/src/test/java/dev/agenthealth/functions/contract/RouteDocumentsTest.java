package dev.agenthealth.functions.contract;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.GeneratedText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything that lists the routes is written from the {@code Routes} of the functions. */
@Tag(GeneratedText.TAG)
@Tag("SYS-03")
class RouteDocumentsTest {

    @AutoClose
    private final DeployedSystem system = new DeployedSystem();

    @Test
    void the_template_has_the_routes_of_the_functions() {
        Map<String, Set<String>> keys = new LinkedHashMap<>();
        routes().forEach((function, routes) -> keys.put(function, routes.keySet()));
        GeneratedText.of("deploy/api.yaml").check(RoutesInTemplate.definition(keys));
        GeneratedText.between(
                        "template.yaml",
                        "  # Permissions of the API, written from the routes of the functions by \""
                                + GeneratedText.COMMAND + "\"; not to be edited by hand.",
                        "  # The end of what is written from the routes.")
                .check(RoutesInTemplate.permissions(keys.keySet()));
    }

    @Test
    void the_access_matrix_has_the_callers_of_every_route() {
        List<Route> all = routes().values().stream()
                .flatMap(routes -> routes.values().stream())
                .toList();
        GeneratedText.between("docs/reference/access.md", "<!-- written from the routes -->", "<!-- end -->")
                .check(RouteCallers.matrix(all));
    }

    @Test
    void the_tables_of_the_api_have_the_routes_and_their_descriptions() {
        Map<String, Route> all = new LinkedHashMap<>();
        routes().values().forEach(all::putAll);
        GeneratedText.between(
                        "docs/reference/requests.md",
                        "<!-- written from the routes and openapi.yaml -->",
                        "<!-- end -->")
                .check(ApiReference.text(all, ApiDescription.ofProject()));
    }

    @Test
    void the_list_of_sample_events_has_one_for_every_route() {
        Map<String, String> functions = new LinkedHashMap<>();
        routes().forEach((function, routes) -> routes.keySet().forEach(key -> functions.put(key, function)));
        new SampleEventList(functions).check();
    }

    /** Returns the routes by the logical id of their function and by their key. */
    private Map<String, Map<String, Route>> routes() {
        Map<String, Map<String, Route>> routes = new LinkedHashMap<>();
        system.functions().forEach(function -> {
            if (system.start(function.logicalId()) instanceof HttpFunction http) {
                Map<String, Route> declared = routes.computeIfAbsent(function.logicalId(), id -> new LinkedHashMap<>());
                http.routes().all().forEach(route -> declared.put(route.key(), route));
            }
        });
        return routes;
    }
}
