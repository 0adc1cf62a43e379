package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A resolved mapping of the template with its place, which errors name. A key with the value null counts as absent. */
record Section(String place, Map<String, Object> values) {

    String text(String key) {
        return optionalText(key).orElseThrow(() -> missing(key));
    }

    Optional<String> optionalText(String key) {
        Object value = values.get(key);
        return value == null ? Optional.empty() : Optional.of(scalar(place + "." + key, value));
    }

    int number(String key, int otherwise) {
        Optional<String> text = optionalText(key);
        try {
            return text.map(Integer::parseInt).orElse(otherwise);
        } catch (NumberFormatException e) {
            throw new TemplateException(place + "." + key + ": not a whole number: '" + text.orElse("") + "'", e);
        }
    }

    boolean flag(String key) {
        return optionalText(key).map(text -> text.equalsIgnoreCase("true")).orElse(false);
    }

    /** Returns the mapping under the key; an empty mapping if the key is absent. */
    Section child(String key) {
        Object value = values.get(key);
        return value == null ? new Section(place + "." + key, Map.of()) : of(place + "." + key, value);
    }

    /** Returns the mappings in the list under the key; none if the key is absent. */
    List<Section> children(String key) {
        List<Section> children = new ArrayList<>();
        for (Object element : list(key)) {
            children.add(of(place + "." + key + "[" + children.size() + "]", element));
        }
        return children;
    }

    /** Returns the texts under the key, which may be one text or a list; none if the key is absent. */
    List<String> texts(String key) {
        return list(key).stream()
                .map(element -> scalar(place + "." + key, element))
                .toList();
    }

    /** Returns every entry of this mapping as text, in the template's order. */
    Map<String, String> allTexts() {
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (value != null) {
                texts.put(key, scalar(place + "." + key, value));
            }
        });
        return texts;
    }

    static Section of(String place, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new TemplateException(place + ": must be a mapping");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        map.forEach((key, element) -> values.put(String.valueOf(key), element));
        return new Section(place, values);
    }

    private List<?> list(String key) {
        Object value = values.get(key);
        if (value == null) {
            return List.of();
        }
        return value instanceof List<?> list ? list : List.of(value);
    }

    private static String scalar(String place, Object value) {
        if (value instanceof Map<?, ?> || value instanceof List<?>) {
            throw new TemplateException(place + ": must be a single value");
        }
        return String.valueOf(value);
    }

    private TemplateException missing(String key) {
        return new TemplateException(place + ": " + key + " is missing");
    }
}
