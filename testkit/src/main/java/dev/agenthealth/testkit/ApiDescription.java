package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The description of the HTTP API, {@code docs/openapi.yaml}, read once. Thread-safe. */
public final class ApiDescription {

    public static final String FILE = "docs/openapi.yaml";

    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete");

    private final JsonNode document;
    private final Map<String, Operation> operations = new LinkedHashMap<>();

    private ApiDescription() {
        document = Yaml.read(ProjectFiles.text(FILE));
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(entry -> {
                    if (METHODS.contains(entry.getKey())) {
                        String key = entry.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                        operations.put(key, new Operation(this, key, path.getValue(), entry.getValue()));
                    }
                }));
    }

    private static final class OfProject {
        private static final ApiDescription DESCRIPTION = new ApiDescription();
    }

    /** Returns the description of this project. */
    public static ApiDescription ofProject() {
        return OfProject.DESCRIPTION;
    }

    /** Returns the whole document. */
    public JsonNode document() {
        return document;
    }

    /** Returns the operations in the order of the document, by route key such as {@code GET /api/v1/agents/{agent_id}}. */
    public Map<String, Operation> operations() {
        return Map.copyOf(operations);
    }

    /** Returns the route keys in the order of the document. */
    public List<String> routeKeys() {
        return List.copyOf(operations.keySet());
    }

    /**
     * Returns the operation of a route.
     *
     * @throws AssertionError if it is not described
     */
    public Operation operation(String routeKey) {
        return Optional.ofNullable(operations.get(routeKey))
                .orElseThrow(() -> new AssertionError(FILE + " does not describe " + routeKey));
    }

    /**
     * Returns the operation that answers a request; empty if no operation does. A literal path takes precedence over a path with
     * parameters.
     */
    public Optional<Operation> find(String method, String path) {
        return operations.values().stream()
                .filter(operation -> operation.method().equals(method) && operation.matches(path))
                .min(Comparator.comparing(operation -> operation.pathTemplate().indexOf('{') < 0 ? 0 : 1));
    }

    /** Returns the statuses of a problem's code; empty if it is not described. */
    public Set<Integer> statusesOf(String problemCode) {
        Set<Integer> statuses = new TreeSet<>();
        problemCodes().path(problemCode).path("statuses").forEach(status -> statuses.add(status.asInt()));
        return statuses;
    }

    /** Returns the description of each code of a problem. */
    public JsonNode problemCodes() {
        return document.path("x-problem-codes");
    }

    /** Returns the target of a reference; the node itself if it is no reference. */
    public JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    /**
     * An operation of the API.
     *
     * @param routeKey in the form of the template's routes
     */
    public record Operation(ApiDescription description, String routeKey, JsonNode path, JsonNode json) {

        public String id() {
            return json.path("operationId").asText();
        }

        /** Returns the path with its parameters in braces. */
        public String pathTemplate() {
            return routeKey.substring(routeKey.indexOf(' ') + 1);
        }

        /** Returns true if the requested path belongs to this operation. */
        boolean matches(String requested) {
            String[] names = pathTemplate().split("/", -1);
            String[] values = requested.split("/", -1);
            boolean matches = names.length == values.length;
            for (int i = 0; matches && i < names.length; i++) {
                matches = names[i].startsWith("{") ? !values[i].isEmpty() : names[i].equals(values[i]);
            }
            return matches;
        }

        public String method() {
            return routeKey.substring(0, routeKey.indexOf(' '));
        }

        /** Returns the roles of the keys that may send the request; empty if no key is needed. */
        public List<String> roles() {
            return texts("x-roles");
        }

        /** Returns the codes of its problems, without the codes that all operations share. */
        public List<String> problemCodes() {
            return texts("x-problem-codes");
        }

        /** Returns true if the operation declares its own authentication: never, optional, or always. */
        public boolean isPublic() {
            return json.has("security");
        }

        /** Returns all parameters. */
        public List<JsonNode> parameters() {
            List<JsonNode> parameters = new ArrayList<>();
            path.path("parameters").forEach(parameter -> parameters.add(description.resolved(parameter)));
            json.path("parameters").forEach(parameter -> parameters.add(description.resolved(parameter)));
            return parameters;
        }

        /** Returns the response of a status; missing if it is not described. */
        public JsonNode response(int status) {
            return description.resolved(json.path("responses").path(Integer.toString(status)));
        }

        /** Returns the described statuses. */
        public Set<Integer> statuses() {
            Set<Integer> statuses = new TreeSet<>();
            json.path("responses").fieldNames().forEachRemaining(status -> statuses.add(Integer.parseInt(status)));
            return statuses;
        }

        /** Returns the example of the request body; missing if the request has no body. */
        public JsonNode example() {
            return json.path("requestBody")
                    .path("content")
                    .path("application/json")
                    .path("example");
        }

        private List<String> texts(String field) {
            List<String> texts = new ArrayList<>();
            json.path(field).forEach(text -> texts.add(text.asText()));
            return texts;
        }
    }
}
