package dev.agenthealth.functions.template;

import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The template's text, for tests of properties that only AWS reads. */
final class TemplateText {

    /** Parsed once for all tests because it is long. */
    private static final Template TEMPLATE = Template.find();

    private final Map<String, Object> document = TEMPLATE.document();

    /** The template deployed with the defaults of its parameters. */
    Stack stack() {
        return stack(Resolution.local());
    }

    /** The template deployed with these parameters; the administrator's hash is optional. */
    Stack stack(Resolution resolution) {
        return TEMPLATE.stack(resolution.withParameter("AdminKeySha256", "0".repeat(64)));
    }

    /** The resources of a type, by logical id. */
    Map<String, Map<String, Object>> resources(String type) {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>(resources());
        found.values().removeIf(resource -> !type.equals(resource.get("Type")));
        return found;
    }

    /** The properties of the resources of a type, by logical id. */
    Map<String, Map<String, Object>> properties(String type) {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        resources(type).forEach((logicalId, resource) -> found.put(logicalId, map(resource, "Properties")));
        return found;
    }

    /** The global properties of all functions. */
    Map<String, Object> functionGlobals() {
        return map(map(document, "Globals"), "Function");
    }

    /** The rules that parameters follow, by logical id. */
    Map<String, Object> rules() {
        return map(document, "Rules");
    }

    Map<String, Object> parameters() {
        return map(document, "Parameters");
    }

    /** The definition of a condition. */
    Object condition(String name) {
        return at(document, "Conditions", name);
    }

    Map<String, Object> outputs() {
        return map(document, "Outputs");
    }

    /** Every resource, by logical id. */
    Map<String, Map<String, Object>> resources() {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        map(document, "Resources").forEach((logicalId, resource) -> found.put(logicalId, map(resource)));
        return found;
    }

    /** The parameter groups. */
    List<?> parameterGroups() {
        return list(at(document, "Metadata", "AWS::CloudFormation::Interface", "ParameterGroups"));
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
