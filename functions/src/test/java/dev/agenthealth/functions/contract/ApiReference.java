package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.ApiDescription.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables of {@code docs/reference/requests.md}: the routes by the tags of their descriptions, and the codes of problems. */
final class ApiReference {

    private final Map<String, Route> routes;
    private final ApiDescription description;
    private final StringBuilder text = new StringBuilder();

    private ApiReference(Map<String, Route> routes, ApiDescription description) {
        this.routes = routes;
        this.description = description;
    }

    /**
     * Returns the tables in Markdown.
     *
     * @param routes by their keys; each is described
     */
    static String text(Map<String, Route> routes, ApiDescription description) {
        ApiReference reference = new ApiReference(routes, description);
        description.document().path("tags").forEach(reference::addTag);
        reference.addCodes();
        return reference.text.toString();
    }

    private void addTag(JsonNode tag) {
        text.append("\n## ").append(tag.path("name").asText()).append("\n\n");
        text.append(tag.path("description").asText()).append("\n\n");
        text.append("| request | keys | what |\n|---|---|---|\n");
        Map<String, Operation> rows = new LinkedHashMap<>();
        for (String routeKey : description.routeKeys()) {
            Operation operation = description.operation(routeKey);
            if (routes.containsKey(routeKey)
                    && operation.json().path("tags").get(0).equals(tag.path("name"))
                    && !operation.method().equals("HEAD")) {
                rows.put(routeKey, operation);
            }
        }
        rows.forEach((routeKey, operation) -> text.append("| ")
                .append(request(routeKey, operation))
                .append(" | ")
                .append(RouteCallers.keys(routes.get(routeKey)))
                .append(" | ")
                .append(what(operation))
                .append(" |\n"));
    }

    private String request(String routeKey, Operation operation) {
        boolean head = operation.method().equals("GET")
                && description.routeKeys().contains("HEAD " + operation.pathTemplate());
        return head ? "`GET`, `HEAD " + operation.pathTemplate() + "`" : "`" + routeKey + "`";
    }

    private static String what(Operation operation) {
        List<String> sentences =
                new ArrayList<>(List.of(operation.json().path("summary").asText() + "."));
        if (operation.json().has("description")) {
            sentences.add(operation.json().path("description").asText().strip());
        }
        return String.join(" ", sentences).replace("|", "\\|");
    }

    private void addCodes() {
        text.append("\n## Codes of problems\n\n| code | status | meaning |\n|---|---|---|\n");
        description.problemCodes().properties().forEach(code -> text.append("| `")
                .append(code.getKey())
                .append("` | ")
                .append(description.statusesOf(code.getKey()).stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ")))
                .append(" | ")
                .append(code.getValue().path("description").asText())
                .append(" |\n"));
        text.append('\n');
    }
}
