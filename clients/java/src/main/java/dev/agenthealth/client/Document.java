package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;

/** Something that the registry shows. The methods of the subclasses have what is needed most; {@link #json} has everything. Immutable. */
public abstract class Document {

    private final JsonNode json;

    Document(JsonNode json) {
        this.json = json;
    }

    /** The whole document as the registry sent it; a copy. */
    public final JsonNode json() {
        return json.deepCopy();
    }

    /** The document itself, which must not be changed. */
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
