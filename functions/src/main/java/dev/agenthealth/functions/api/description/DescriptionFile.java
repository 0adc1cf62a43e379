package dev.agenthealth.functions.api.description;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads {@code docs/openapi.yaml}, which the build puts beside the classes. */
final class DescriptionFile {

    private static final String RESOURCE = "/openapi.yaml";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private DescriptionFile() {}

    /** Returns the whole description as a tree. */
    static JsonNode read() {
        try (InputStream file = DescriptionFile.class.getResourceAsStream(RESOURCE)) {
            if (file == null) {
                throw new IllegalStateException("the package has no " + RESOURCE);
            }
            return tree(new Load(LoadSettings.builder().build()).loadFromInputStream(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode tree(Object value) {
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = Json.object();
            map.forEach((name, field) -> object.set(name.toString(), tree(field)));
            return object;
        }
        if (value instanceof Iterable<?> list) {
            ArrayNode array = NODES.arrayNode();
            list.forEach(element -> array.add(tree(element)));
            return array;
        }
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        if (value instanceof Double number) {
            return NODES.numberNode(number);
        }
        if (value instanceof Number number) {
            return NODES.numberNode(number.longValue());
        }
        return value == null ? NODES.nullNode() : NODES.textNode(value.toString());
    }
}
