package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The JSON Schemas of the description of the HTTP API, compiled on first use. Thread-safe.
 *
 * <p>They are stricter than the published schemas: undescribed fields and words are errors.
 */
final class ApiSchemas {

    private static final String BASE = "https://agent-health.test/openapi.json";

    private final JsonNode document;
    private final SchemaRegistry registry;
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    ApiSchemas(ApiDescription description) {
        document = description.document().deepCopy();
        tighten(document);
        String text = TestJson.text(document);
        registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(BASE, text)));
    }

    /**
     * Returns the errors of a value; empty if it is valid.
     *
     * @param schema a schema object of the description
     * @param formats whether formats are checked; the registry accepts more forms of ISO 8601 than {@code date-time}
     */
    List<String> faults(JsonNode schema, JsonNode value, boolean formats) {
        return compiled
                .computeIfAbsent(TestJson.text(schema), text -> compile(schema))
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(formats)))
                .stream()
                .map(Object::toString)
                .toList();
    }

    private Schema compile(JsonNode schema) {
        if (schema.has("$ref")) {
            return registry.getSchema(
                    SchemaLocation.of(BASE + schema.path("$ref").asText()));
        }
        JsonNode absolute = TestJson.read(TestJson.text(schema).replace("\"$ref\":\"#", "\"$ref\":\"" + BASE + "#"));
        return registry.getSchema(absolute);
    }

    private static void tighten(JsonNode node) {
        if (node instanceof ObjectNode object) {
            if (object.path("properties").isObject() && object.has("type") && !object.has("additionalProperties")) {
                object.put("additionalProperties", false);
            }
            if (object.path(EventSchemas.KNOWN_VALUES).isArray()) {
                object.set("enum", object.path(EventSchemas.KNOWN_VALUES));
            }
        }
        node.forEach(ApiSchemas::tighten);
    }
}
