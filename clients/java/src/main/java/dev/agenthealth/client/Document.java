package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A document of the registry. The methods of the subclasses return the most important fields; {@link #json} returns all fields. Immutable.
 */
public abstract class Document {

    private final JsonNode json;

    Document(JsonNode json) {
        this.json = json;
    }

    /** Returns a copy of the whole document as the registry sent it. */
    public final JsonNode json() {
        return json.deepCopy();
    }

    /** Returns the document itself, which must not be changed. */
    final JsonNode node() {
        return json;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Document document && getClass() == other.getClass() && json.equals(document.json);
    }

    @Override
    public final int hashCode() {
        return json.hashCode();
    }

    @Override
    public final String toString() {
        return json.toString();
    }
}
