package dev.agenthealth.functions.notification.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Where a rule sends its messages: the type of a channel and the values of its fields. Only {@link #json()} shows secrets. Immutable. */
public final class Target {

    private final JsonNode json;

    /** Makes a target of its type and its fields. */
    public Target(JsonNode json) {
        this.json = json.deepCopy();
    }

    public String type() {
        return text("type");
    }

    /** The value of a field that every target of its type has. */
    public String text(String field) {
        return json.path(field).asText();
    }

    public URI url() {
        return URI.create(text("url"));
    }

    /** The values of a field, of which a text has one; empty where the target lacks the field. */
    public List<String> texts(String field) {
        JsonNode value = json.path(field);
        List<String> texts = new ArrayList<>();
        if (value.isTextual()) {
            texts.add(value.textValue());
        }
        value.elements().forEachRemaining(text -> texts.add(text.asText()));
        return texts;
    }

    /** The target with its secrets, as it is encrypted. */
    public String json() {
        return Json.text(json);
    }

    @Override
    public String toString() {
        return "Target[" + type() + "]";
    }
}
