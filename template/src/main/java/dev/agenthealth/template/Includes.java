package dev.agenthealth.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Replaces each {@code AWS::Include} of a template by the content of its file, beside the other entries of the same map. CloudFormation does so before
 * it translates the template. A file has the long form of functions and includes no other file.
 */
final class Includes {

    private static final String TRANSFORM = "Fn::Transform";

    private final UnaryOperator<String> files;

    /** @param files returns the text of a file by its path relative to the template */
    Includes(UnaryOperator<String> files) {
        this.files = files;
    }

    /** Returns the template with the files in their places. */
    Map<String, Object> in(Map<String, Object> template) {
        Map<String, Object> result = new LinkedHashMap<>();
        template.forEach((key, value) -> {
            if (key.equals(TRANSFORM)) {
                add(read(Section.of("template", value)), result);
            } else {
                add(Map.of(key, included(value)), result);
            }
        });
        return result;
    }

    private static void add(Map<String, Object> added, Map<String, Object> result) {
        added.forEach((key, value) -> {
            if (result.put(key, value) != null) {
                throw new TemplateException("template: has " + key + " twice, with the files that it includes");
            }
        });
    }

    private Object included(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(this::included).toList();
        }
        if (!(value instanceof Map<?, ?>)) {
            return value;
        }
        return in(Section.of("template", value).values());
    }

    private Map<String, Object> read(Section transform) {
        if (!transform.text("Name").equals("AWS::Include")) {
            throw new TemplateException(transform.place() + ".Name: only AWS::Include is supported");
        }
        String file = transform.child("Parameters").text("Location");
        String text = files.apply(file);
        if (text.contains(": !")) {
            throw new TemplateException(file + ": CloudFormation takes only the long form of functions here");
        }
        return YamlDocument.read(text, file);
    }
}
