package dev.agenthealth.functions.template;

import dev.agenthealth.template.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The template as it is written, for questions about properties that only AWS reads. */
final class TemplateText {

    private final Map<String, Object> document = Template.find().document();

    /** The resources of a type, by logical id. */
    Map<String, Map<String, Object>> resources(String type) {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        map(document, "Resources").forEach((logicalId, resource) -> {
            Map<String, Object> read = map(resource);
            if (type.equals(read.get("Type"))) {
                found.put(logicalId, read);
            }
        });
        return found;
    }

    /** The properties of the resources of a type, by logical id. */
    Map<String, Map<String, Object>> properties(String type) {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        resources(type).forEach((logicalId, resource) -> found.put(logicalId, map(resource, "Properties")));
        return found;
    }

    /** What all functions have in common. */
    Map<String, Object> functionGlobals() {
        return map(map(document, "Globals"), "Function");
    }

    Map<String, Object> parameters() {
        return map(document, "Parameters");
    }

    /** The value at the end of a path of names; empty text where the path ends early. */
    static Object at(Object value, String... path) {
        Object current = value;
        for (String name : path) {
            current = current instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return current == null ? "" : current;
    }

    static Map<String, Object> map(Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, element) -> copy.put(String.valueOf(name), element));
        }
        return copy;
    }

    static Map<String, Object> map(Map<String, Object> parent, String name) {
        return map(parent.get(name));
    }

    static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
