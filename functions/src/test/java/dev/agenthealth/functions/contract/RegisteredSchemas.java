package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resources of {@code deploy/events.yaml} that put the schemas into EventBridge's registry, made of the schemas. The registry takes OpenAPI 3 or
 * JSON Schema of draft 4, and makes classes of the former only.
 */
final class RegisteredSchemas {

    private static final List<String> ENVELOPE_TEXTS =
            List.of("version", "id", "detail-type", "source", "account", "region");

    private RegisteredSchemas() {}

    static String text(Map<String, JsonNode> schemas) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(schemas)
                .forEach((detailType, schema) -> text.append(
                        """
                                  %sSchema:
                                    Type: AWS::EventSchemas::Schema
                                    Properties: { RegistryName: !GetAtt EventSchemas.RegistryName, SchemaName: %s, Type: OpenApi3,
                                      Content: '%s' }
                                """
                                .formatted(
                                        schema.path("title").asText(),
                                        name(detailType),
                                        Json.text(openApi(detailType, schema)).replace("'", "''"))));
        return text.toString();
    }

    /** As the registry itself names the schemas that it discovers. */
    static String name(String detailType) {
        return "agent-health@" + detailType;
    }

    static ObjectNode openApi(String detailType, JsonNode schema) {
        String title = schema.path("title").asText();
        ObjectNode json = Json.object();
        json.put("openapi", "3.0.0");
        json.putObject("info").put("version", "1.0.0").put("title", title);
        json.putObject("paths");
        ObjectNode schemas = json.putObject("components").putObject("schemas");
        schemas.set("AWSEvent", envelope(detailType, title));
        schemas.set(title, detail(schema));
        return json;
    }

    private static ObjectNode envelope(String detailType, String title) {
        ObjectNode envelope = Json.object();
        envelope.put("type", "object");
        ObjectNode properties = Json.object();
        ENVELOPE_TEXTS.forEach(name -> properties.putObject(name).put("type", "string"));
        properties.putObject("time").put("type", "string").put("format", "date-time");
        properties
                .putObject("resources")
                .put("type", "array")
                .putObject("items")
                .put("type", "string");
        properties.putObject("detail").put("$ref", "#/components/schemas/" + title);
        properties.fieldNames().forEachRemaining(envelope.withArray("required")::add);
        envelope.put("x-amazon-events-detail-type", detailType).put("x-amazon-events-source", "agent-health");
        envelope.set("properties", properties);
        return envelope;
    }

    /** Without keywords that OpenAPI 3.0 lacks; numbers are 64-bit. */
    private static JsonNode detail(JsonNode schema) {
        ObjectNode detail = schema.deepCopy();
        detail.remove(List.of("$schema", "$id", "examples"));
        widen(detail);
        return detail;
    }

    private static void widen(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("type").asText().equals("integer")) {
            object.put("format", "int64");
        }
        node.forEach(RegisteredSchemas::widen);
    }
}
