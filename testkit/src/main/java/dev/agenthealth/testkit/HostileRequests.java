package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.testkit.ApiDescription.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Generates requests for every operation of the description of the HTTP API. Some are correct, some have one or two faults, and some
 * contain text that no client sends. The random numbers determine the requests.
 */
public final class HostileRequests {

    private static final int DEEPEST = 6;

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "..",
            ".",
            "%2e%2e",
            "%00",
            "a\u0000b",
            "a\nb",
            "é",
            "\u202ea",
            "\ud83d\ude00",
            "\ud800",
            "-1",
            "0",
            "1e9",
            "١",
            "+5",
            "99999999999999999999",
            "null",
            "NaN",
            "*",
            "\"",
            "W/\"1\"",
            "\"1\",\"2\"",
            "<b>",
            "' OR 1=1 --",
            "#",
            "a#b",
            "~",
            "a,b,,c",
            ",",
            ";",
            "=",
            "&",
            ":",
            "-",
            "Bearer",
            "Bearer  ",
            "Basic Og==",
            "2026-02-30T00:00:00.000Z",
            "+999999999-12-31T23:59:59Z",
            "-999999999-01-01T00:00:00Z",
            "0000-00-00",
            "1970-01-01T00:00:00.000Z",
            "9d",
            "999999999d",
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
            "x".repeat(65),
            "x".repeat(2_049),
            "x".repeat(9_000));

    /** Headers that some route reads, or might read. */
    private static final List<String> HEADERS = List.of(
            "content-type",
            "content-encoding",
            "accept",
            "accept-encoding",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "idempotency-key",
            "traceparent",
            "tracestate",
            "authorization",
            "x-api-key",
            "origin",
            "host",
            "x-forwarded-proto",
            "x-forwarded-for",
            "x-http-method-override",
            "range",
            "expect",
            "cookie",
            "a2a-version",
            "mcp-session-id",
            "mcp-protocol-version",
            "last-event-id",
            "x-agent-id");

    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json; charset=utf-16",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/xml",
            "application/yaml",
            "application/x-protobuf",
            ";;;",
            ";,;",
            "text/csv;q=,*/*;q=x",
            "a/b/c",
            "");

    private static final List<String> ENCODINGS = List.of("gzip", "deflate", "br", "identity", "gzip, gzip", "x", "");

    private final ApiDescription description = ApiDescription.ofProject();
    private final List<String> routeKeys = description.routeKeys();
    private final Map<String, List<String>> known;
    private final Random random;
    private int count;

    /** @param known existing values of path parameters, by the parameter's name */
    public HostileRequests(Random random, Map<String, List<String>> known) {
        this.random = random;
        this.known = Map.copyOf(known);
    }

    /**
     * A generated request.
     *
     * @param parameters the path parameters, decoded, by name
     * @param content its body
     * @param isDescribed whether the request matches the description
     */
    public record Hostile(
            String routeKey,
            Map<String, String> parameters,
            Map<String, String> query,
            Map<String, String> headers,
            Content content,
            boolean isDescribed) {

        /**
         * The body of a request.
         *
         * @param present whether the request has a body, which may be empty
         * @param damaged the top-level fields of the body that break the description
         */
        public record Content(boolean present, byte[] bytes, Set<String> damaged) {}

        public boolean hasBody() {
            return content.present();
        }

        public byte[] body() {
            return content.bytes();
        }

        public Set<String> damaged() {
            return content.damaged();
        }

        public String method() {
            return routeKey.substring(0, routeKey.indexOf(' '));
        }

        public String pathTemplate() {
            return routeKey.substring(routeKey.indexOf(' ') + 1);
        }
    }

    /** Returns the next request; the operations take turns. */
    public Hostile next() {
        Operation operation = description.operation(routeKeys.get(count++ % routeKeys.size()));
        JsonNode described = body(operation);
        boolean takesBody = !described.isMissingNode();
        int kind = random.nextInt(10);
        HostileBody body = HostileBody.empty();
        if (takesBody) {
            body = switch (kind) {
                case 0, 1 -> HostileBody.of(described, 0, random);
                case 2, 3, 4, 5 -> HostileBody.of(described, 1, random);
                case 6, 7 -> HostileBody.of(described, 2 + random.nextInt(3), random);
                default -> HostileBody.damaged(described, random);
            };
        } else if (kind == 9) {
            body = HostileBody.damaged(TestJson.object().put("a", 1), random);
        }
        boolean isBodyDescribed = takesBody ? kind < 2 : kind < 9;
        // A broken path or header mostly hides faults of the body.
        boolean breakOthers = random.nextInt(isBodyDescribed ? 2 : 5) == 0;
        Map<String, String> parameters = new HashMap<>();
        Map<String, String> query = new HashMap<>();
        Map<String, String> headers = new HashMap<>();
        for (JsonNode parameter : operation.parameters()) {
            String name = parameter.path("name").asText();
            boolean broken = breakOthers && random.nextInt(3) == 0;
            String value = broken ? text() : described(name, parameter);
            switch (parameter.path("in").asText()) {
                case "path" -> parameters.put(name, inPath(value));
                case "query" -> {
                    if (random.nextInt(3) == 0) {
                        query.put(name, value);
                    }
                }
                default -> {
                    if (parameter.path("required").asBoolean() || random.nextInt(4) == 0) {
                        headers.put(name.toLowerCase(Locale.ROOT), value);
                    }
                }
            }
        }
        if (breakOthers && random.nextInt(4) == 0) {
            query.put(random.nextBoolean() ? "no_such_parameter" : "x" + text(), text());
        }
        if (breakOthers) {
            breakHeaders(headers);
        }
        return new Hostile(
                operation.routeKey(),
                parameters,
                query,
                headers,
                new Hostile.Content(
                        body.bytes().length > 0 || random.nextBoolean(),
                        body.bytes(),
                        body.isWhole() ? body.damaged() : Set.of()),
                isBodyDescribed && !breakOthers);
    }

    private void breakHeaders(Map<String, String> headers) {
        int flood = random.nextInt(50) == 0 ? 200 : 0;
        for (int i = 0; i < flood; i++) {
            headers.put("x-flood-" + i, "x".repeat(random.nextInt(100)));
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            String name = pick(HEADERS);
            headers.put(
                    name,
                    switch (name) {
                        case "content-type", "accept" -> pick(TYPES);
                        case "content-encoding", "accept-encoding" -> pick(ENCODINGS);
                        default -> text();
                    });
        }
    }

    private String described(String name, JsonNode parameter) {
        List<String> values = known.getOrDefault(name, List.of());
        if (!values.isEmpty() && random.nextInt(8) > 0) {
            return pick(values);
        }
        JsonNode value = parameter.has("example") && random.nextBoolean()
                ? parameter.path("example")
                : value(parameter.path("schema"), 0);
        return value instanceof ArrayNode array && !array.isEmpty()
                ? array.get(0).asText()
                : value.asText();
    }

    /** Returns a value for a path. API Gateway passes no empty part of a path, and no part with a slash. */
    private static String inPath(String value) {
        String part = value.replace("/", "\u2215");
        return part.isEmpty() ? " " : part;
    }

    private JsonNode body(Operation operation) {
        JsonNode content = operation.json().at("/requestBody/content/application~1json");
        if (content.isMissingNode()) {
            return content;
        }
        JsonNode example = operation.example();
        return example.isMissingNode() || random.nextInt(3) == 0 ? value(content.path("schema"), 0) : example;
    }

    private JsonNode value(JsonNode referring, int depth) {
        JsonNode schema = description.resolved(referring);
        if (schema.has("const")) {
            return schema.path("const");
        }
        for (String list : List.of("enum", EventSchemas.KNOWN_VALUES)) {
            if (schema.path(list).size() > 0) {
                return pick(schema.path(list));
            }
        }
        if (schema.path("anyOf").size() > 0) {
            return value(pick(schema.path("anyOf")), depth + 1);
        }
        String type = schema.path("type").isArray()
                ? schema.path("type").get(0).asText()
                : schema.path("type").asText();
        boolean isLeaf = !type.equals("object") && !type.equals("array");
        if (schema.path("examples").size() > 0 && (isLeaf ? random.nextInt(3) > 0 : random.nextBoolean())) {
            return pick(schema.path("examples"));
        }
        return switch (type) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, depth);
            case "boolean" -> TestJson.read(random.nextBoolean() ? "true" : "false");
            case "integer", "number" -> number(schema);
            case "null" -> TestJson.read("null");
            default -> string(schema);
        };
    }

    private JsonNode object(JsonNode schema, int depth) {
        ObjectNode object = TestJson.object();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().forEach(field -> {
            if (required.contains(field.getKey()) || depth < DEEPEST && random.nextInt(3) == 0) {
                object.set(field.getKey(), value(field.getValue(), depth + 1));
            }
        });
        JsonNode others = schema.path("additionalProperties");
        for (int i = 0; (others.isObject() || others.asBoolean()) && i < random.nextInt(3); i++) {
            object.set("key" + i, others.isObject() ? value(others, depth + 1) : IntNode.valueOf(i));
        }
        return object;
    }

    private JsonNode array(JsonNode schema, int depth) {
        ArrayNode array = TestJson.object().putArray("items");
        int atLeast = schema.path("minItems").asInt(0);
        int size = Math.max(
                atLeast, Math.min(random.nextInt(4), schema.path("maxItems").asInt(4)));
        for (int i = 0; i < size; i++) {
            array.add(value(schema.path("items"), depth + 1));
        }
        return array;
    }

    private JsonNode number(JsonNode schema) {
        long least =
                schema.path("minimum").asLong(schema.path("exclusiveMinimum").asLong(0) + 1);
        long most = schema.path("maximum").asLong(least + 1_000);
        return switch (random.nextInt(3)) {
            case 0 -> TestJson.read(Long.toString(least));
            case 1 -> TestJson.read(Long.toString(most));
            default -> TestJson.read(Long.toString(least + (most > least ? random.nextLong(most - least) : 0)));
        };
    }

    private JsonNode string(JsonNode schema) {
        if (schema.has("pattern") || schema.has("format")) {
            return schema.path("examples").size() > 0 ? pick(schema.path("examples")) : TextNode.valueOf("x");
        }
        int least = schema.path("minLength").asInt(0);
        int most = Math.min(schema.path("maxLength").asInt(20), 4_000);
        return TextNode.valueOf("w".repeat(random.nextBoolean() ? Math.max(least, 1) : most));
    }

    private String text() {
        return pick(TEXTS);
    }

    private JsonNode pick(JsonNode list) {
        return list.get(random.nextInt(list.size()));
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Returns a JSON text with fields replaced, removed or added, or damaged as text. */
    public static String damaged(JsonNode tree, Random random) {
        HostileBody body = random.nextInt(4) == 0
                ? HostileBody.damaged(tree, random)
                : HostileBody.of(tree, 1 + random.nextInt(3), random);
        return new String(body.bytes(), StandardCharsets.UTF_8);
    }

    /** Returns the operations, each of which gets the same number of requests. */
    public List<String> operations() {
        return new ArrayList<>(routeKeys);
    }
}
