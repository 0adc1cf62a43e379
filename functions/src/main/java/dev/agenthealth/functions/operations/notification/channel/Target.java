package dev.agenthealth.functions.operations.notification.channel;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * The receiver of a rule's messages. Its text form shows no secret.
 *
 * @param json the type of a channel and the values of its fields, including secrets; never changed after creation
 */
public record Target(JsonNode json) {

    public String type() {
        return text("type");
    }

    /** Returns the text of a field that every target of its type has. */
    public String text(String field) {
        return json.path(field).asText();
    }

    /** Returns the URL of the field {@code url}. */
    public URI url() {
        return URI.create(text("url"));
    }

    /** Returns the values of a field: a single value for a text; empty without the field. */
    public List<String> texts(String field) {
        JsonNode value = json.path(field);
        List<String> texts = new ArrayList<>(value.isTextual() ? List.of(value.textValue()) : List.of());
        value.forEach(text -> texts.add(text.textValue()));
        return texts;
    }

    @Override
    public String toString() {
        return "Target[" + type() + "]";
    }
}
