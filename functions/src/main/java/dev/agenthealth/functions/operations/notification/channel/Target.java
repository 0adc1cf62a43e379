package dev.agenthealth.functions.operations.notification.channel;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * The receiver of a rule's messages. As a text it shows no secret.
 *
 * @param json the type of a channel and the values of its fields, secrets included; not changed any more
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

    /** Returns the values of a field, of which a text has one; empty if the target lacks the field. */
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
