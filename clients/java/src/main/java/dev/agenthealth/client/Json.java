package dev.agenthealth.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Reads and writes the registry's JSON. Absent and null are equal; unknown fields are ignored. */
final class Json {

    private static final JsonMapper MAPPER = new JsonMapper();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the value of a text; missing if the text is empty or no JSON. */
    static JsonNode read(String text) {
        try {
            JsonNode read = MAPPER.readTree(text);
            return read == null ? MissingNode.getInstance() : read;
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** Returns any value as JSON, such as a map or a record of the caller. */
    static JsonNode of(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** Returns a duration in whole seconds, the unit of most fields, within the range of an int. */
    static int wholeSeconds(Duration duration) {
        return (int) Math.min(Integer.MAX_VALUE, duration.toSeconds());
    }

    /** Returns a text; empty if it is absent. */
    static String text(JsonNode json, String field) {
        return json.path(field).asText("");
    }

    static List<String> texts(JsonNode json, String field) {
        List<String> texts = new ArrayList<>();
        json.path(field).forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }

    static Optional<Instant> moment(JsonNode json, String field) {
        try {
            String text = text(json, field);
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    static OptionalDouble number(JsonNode json, String field) {
        JsonNode number = json.path(field);
        return number.isNumber() ? OptionalDouble.of(number.asDouble()) : OptionalDouble.empty();
    }

    static OptionalInt integer(JsonNode json, String field) {
        JsonNode number = json.path(field);
        return number.isNumber() ? OptionalInt.of(number.asInt()) : OptionalInt.empty();
    }
}
