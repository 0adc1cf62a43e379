package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.testkit.ApiDescription.Operation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The contract that the description of the HTTP API states for every request and response. The harnesses check each exchange of a test.
 * Thread-safe.
 *
 * <p>A fully accepted request and every response must have the described form. An undescribed field, header, status or code in a response
 * breaks the contract.
 */
public final class ApiContract {

    private static final Set<String> UNDESCRIBED_HEADERS =
            // The server of one machine adds Vary to every answer that it can compress.
            Set.of("content-type", "cache-control", "apigw-requestid", "vary", "content-encoding");

    private static final ApiContract OF_PROJECT = new ApiContract(ApiDescription.ofProject());

    private final ApiDescription description;
    private final ApiSchemas schemas;

    private ApiContract(ApiDescription description) {
        this.description = description;
        this.schemas = new ApiSchemas(description);
    }

    /**
     * Checks an exchange.
     *
     * @throws AssertionError if it breaks the contract
     */
    public static void check(ApiExchange exchange) {
        if (exchange.routeKey().startsWith("ANY ")) {
            // The description has neither OPTIONS nor methods that a path does not take.
            return;
        }
        List<String> faults = faultsOf(exchange);
        if (!faults.isEmpty()) {
            throw new AssertionError(exchange.routeKey() + " is not as " + ApiDescription.FILE + " describes it:\n"
                    + String.join("\n", faults) + "\nbody: " + exchange.body() + "\nanswer: " + exchange.status() + " "
                    + exchange.answer());
        }
    }

    /** Returns the errors of a value against a schema of the description; empty if it is valid. */
    public static List<String> faults(JsonNode schema, JsonNode value) {
        return OF_PROJECT.schemas.faults(schema, value, true);
    }

    /** Returns the errors of an exchange; empty if it matches the description. */
    static List<String> faultsOf(ApiExchange exchange) {
        return OF_PROJECT.faults(exchange);
    }

    private List<String> faults(ApiExchange exchange) {
        Operation operation = description.operation(exchange.routeKey());
        JsonNode response = operation.response(exchange.status());
        List<String> faults = new ArrayList<>();
        if (response.isMissingNode()) {
            boolean shared = operation.method().equals("HEAD")
                    ? hasShared(exchange.status())
                    : isShared(codeOf(TestJson.read(exchange.answer())), exchange.status());
            if (!shared) {
                faults.add("the status " + exchange.status() + " is not described");
            }
            return faults;
        }
        checkHeaders(response, exchange, faults);
        JsonNode answer = answer(operation, response, exchange, faults);
        if (exchange.status() >= 400 && !response.path("content").has("application/problem+json")) {
            // Another protocol defines the form of these errors.
            return faults;
        }
        if (exchange.status() >= 400) {
            checkCode(operation, exchange.status(), answer, faults);
        } else if (isAcceptedAsAWhole(answer)) {
            checkParameters(operation, exchange, faults);
            checkBody(operation, exchange, faults);
        }
        return faults;
    }

    /** Returns the code of an error: of a problem document, or of an error of A2A over HTTP, whose reason has capitals. */
    private static String codeOf(JsonNode answer) {
        JsonNode error = answer.path("error");
        return error.isObject() ? error.at("/details/0/reason").asText().toLowerCase(Locale.ROOT) : error.asText();
    }

    private static void checkHeaders(JsonNode response, ApiExchange exchange, List<String> faults) {
        Map<String, String> sent = new HashMap<>();
        exchange.answerHeaders().forEach((name, value) -> sent.put(name.toLowerCase(Locale.ROOT), value));
        JsonNode described = response.path("headers");
        described.fieldNames().forEachRemaining(name -> {
            boolean optional = described.path(name).path("x-optional").asBoolean();
            if (sent.remove(name.toLowerCase(Locale.ROOT)) == null && !optional) {
                faults.add("the header " + name + " is missing");
            }
        });
        if (exchange.status() < 400) {
            sent.keySet().stream()
                    .filter(name -> !UNDESCRIBED_HEADERS.contains(name))
                    .forEach(name -> faults.add("the header " + name + " is not described"));
        }
    }

    private JsonNode answer(Operation operation, JsonNode response, ApiExchange exchange, List<String> faults) {
        JsonNode content = response.path("content");
        boolean head = operation.method().equals("HEAD");
        if (content.isMissingNode() || head) {
            // HTTP drops the body of a refused HEAD request.
            if (!exchange.answer().isEmpty() && !(head && exchange.status() >= 400)) {
                faults.add("the answer has a body");
            }
            return TestJson.object();
        }
        String sentType = exchange.answerHeaders().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("Content-Type"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        String type = sentType.replaceFirst(";.*", "");
        if (!content.has(type)) {
            faults.add("the content type is " + sentType);
            return TestJson.object();
        }
        JsonNode answer =
                type.endsWith("json") ? TestJson.read(exchange.answer()) : TextNode.valueOf(exchange.answer());
        schemas.faults(content.path(type).path("schema"), answer, true)
                .forEach(fault -> faults.add("answer: " + fault));
        faults.addAll(TimestampForm.faults(answer));
        return answer;
    }

    private void checkCode(Operation operation, int status, JsonNode answer, List<String> faults) {
        if (operation.method().equals("HEAD") || answer.path("error").isObject()) {
            // A JSON-RPC error has no problem code.
            return;
        }
        String code = answer.path("error").asText();
        if (!operation.problemCodes().contains(code) && !isShared(code, status)) {
            faults.add("the code " + code + " is not one of the operation");
        }
        if (!description.statusesOf(code).contains(status)) {
            faults.add("the code " + code + " has another status");
        }
    }

    /** Returns true if every operation shares a problem with this status. The answer to HEAD has no body, and so no code. */
    private boolean hasShared(int status) {
        return description.problemCodes().properties().stream().anyMatch(code -> isShared(code.getKey(), status));
    }

    private boolean isShared(String code, int status) {
        return description.problemCodes().path(code).path("shared").asBoolean()
                && description.statusesOf(code).contains(status);
    }

    /** Returns true if no part of the request was refused: no heartbeat of a batch, no outcomes of a heartbeat, no call of JSON-RPC. */
    private static boolean isAcceptedAsAWhole(JsonNode answer) {
        return !answer.path("error").isObject()
                && answer.findValues("status_code").stream().allMatch(status -> status.asInt() < 300)
                && answer.findValue("warnings") == null;
    }

    private void checkParameters(Operation operation, ApiExchange exchange, List<String> faults) {
        Map<String, String> unread = new HashMap<>(exchange.query());
        Map<String, String> inPath = pathParameters(operation, exchange.path());
        for (JsonNode parameter : operation.parameters()) {
            String name = parameter.path("name").asText();
            String value =
                    switch (parameter.path("in").asText()) {
                        case "path" -> inPath.get(name);
                        case "query" -> unread.remove(name);
                        default -> exchange.headers().get(name.toLowerCase(Locale.ROOT));
                    };
            if (value != null) {
                JsonNode schema = parameter.path("schema");
                schemas.faults(schema, converted(schema, value), false)
                        .forEach(fault -> faults.add(name + ": " + fault));
            } else if (parameter.path("required").asBoolean()) {
                faults.add("the parameter " + name + " is missing");
            }
        }
        // Public documents ignore parameters that linking pages add.
        if (!operation.isPublic()) {
            unread.keySet().forEach(name -> faults.add("the parameter " + name + " is not described"));
        }
    }

    private static Map<String, String> pathParameters(Operation operation, String path) {
        String[] names = operation.pathTemplate().split("/", -1);
        String[] values = path.split("/", -1);
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < Math.min(names.length, values.length); i++) {
            if (names[i].startsWith("{")) {
                parameters.put(names[i].substring(1, names[i].length() - 1), values[i]);
            }
        }
        return parameters;
    }

    private static JsonNode converted(JsonNode schema, String text) {
        return switch (schema.path("type").asText()) {
            case "integer" -> DecimalNode.valueOf(new BigDecimal(text));
            case "boolean" -> BooleanNode.valueOf(Boolean.parseBoolean(text));
            case "array" -> {
                ArrayNode words = TestJson.object().putArray("words");
                for (String word : text.split(",")) {
                    if (!word.isBlank()) {
                        words.add(word.trim());
                    }
                }
                yield words;
            }
            // An unescaped plus sign arrives as a space.
            default ->
                TextNode.valueOf(schema.path("format").asText().equals("date-time") ? text.replace(' ', '+') : text);
        };
    }

    private void checkBody(Operation operation, ApiExchange exchange, List<String> faults) {
        JsonNode described = operation.json().path("requestBody");
        if (exchange.body().isBlank()) {
            if (described.path("required").asBoolean()) {
                faults.add("the body is missing");
            }
            return;
        }
        JsonNode content = described.path("content");
        if (content.isMissingNode()) {
            // The body is not read, such as the empty object that many clients send.
            return;
        }
        if (content.has("application/x-protobuf")
                && (exchange.headers().containsKey("content-encoding")
                        || !exchange.headers().getOrDefault("content-type", "").startsWith("application/json"))) {
            return;
        }
        JsonNode body = content.has("application/yaml") ? Yaml.read(exchange.body()) : TestJson.read(exchange.body());
        schemas.faults(content.path("application/json").path("schema"), body, false)
                .forEach(fault -> faults.add("body: " + fault));
    }
}
