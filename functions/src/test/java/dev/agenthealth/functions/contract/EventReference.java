package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.EventSchemas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page {@code docs/reference/events.md}, which has the fields of each event, made of the schemas. */
final class EventReference {

    private static final int LINE = 130;

    private EventReference() {}

    static String text(Map<String, JsonNode> schemas) {
        StringBuilder text = new StringBuilder("\n");
        new TreeMap<>(schemas).forEach((detailType, schema) -> {
            text.append("## `").append(detailType).append("`\n\n");
            text.append(schema.path("description").asText()).append("\n\n");
            text.append("```json\n").append(example(schema)).append("\n```\n\n");
            text.append("| field | always | type | meaning |\n|---|---|---|---|\n");
            rows("", schema, true, text);
            text.append('\n');
        });
        return text.toString();
    }

    private static void rows(String prefix, JsonNode schema, boolean parentAlways, StringBuilder text) {
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().forEach(field -> {
            JsonNode value = field.getValue();
            boolean always = parentAlways && required.contains(field.getKey());
            text.append("| `").append(prefix).append(field.getKey()).append("` | ");
            text.append(always ? "yes" : "").append(" | ").append(type(value)).append(" | ");
            text.append(value.path("description").asText()).append(" |\n");
            rows(prefix + field.getKey() + ".", value, always, text);
        });
    }

    private static String type(JsonNode value) {
        if (value.has("enum")) {
            return words(value.path("enum"));
        }
        if (value.has(EventSchemas.KNOWN_VALUES)) {
            return words(value.path(EventSchemas.KNOWN_VALUES)) + ", …";
        }
        if (value.path("format").asText().equals("date-time")) {
            return "time";
        }
        String type = value.path("type").asText();
        return switch (type) {
            case "string" -> "text";
            case "array" ->
                "list of " + (value.path("items").has(EventSchemas.KNOWN_VALUES) ? type(value.path("items")) : "texts");
            default -> type;
        };
    }

    private static String words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add("`" + word.asText() + "`"));
        return words.stream().collect(Collectors.joining(", "));
    }

    /** The example on as few lines as fit, broken between fields. */
    private static String example(JsonNode schema) {
        StringBuilder text = new StringBuilder();
        int length = 0;
        for (String field : Json.text(schema.path("examples").path(0)).split("(?<=,)(?=\")")) {
            if (length > 0 && length + field.length() > LINE) {
                text.append("\n ");
                length = 1;
            }
            text.append(field);
            length += field.length();
        }
        return text.toString();
    }
}
