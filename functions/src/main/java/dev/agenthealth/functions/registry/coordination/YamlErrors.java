package dev.agenthealth.functions.registry.coordination;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.FieldErrors;
import dev.agenthealth.model.FieldError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The errors of a YAML text with their lines, at most {@link #MAX_ERRORS}. Not thread-safe. */
final class YamlErrors extends FieldErrors {

    private static final int MAX_ERRORS = 100;

    private final Map<String, Integer> lines = new HashMap<>();

    /** Records the line, from 1, in which a field or an element of a list starts. */
    void locate(String field, int line) {
        lines.put(field, line);
    }

    /** Adds an error with the line of the field. If the field is absent, the line is that of the innermost object around it. */
    @Override
    public void add(String field, String message) {
        String present = field;
        while (!present.isEmpty() && !lines.containsKey(present)) {
            present = present.substring(0, Math.max(0, present.lastIndexOf('.')));
        }
        add(field, lines.getOrDefault(present, 1), message);
    }

    /** Adds an error in a line. */
    void add(String field, int line, String message) {
        if (count() < MAX_ERRORS) {
            super.add(field, withLine(line, message));
        }
    }

    /** Returns a 400 for an error after which the text cannot be read further. */
    static ApiError fatal(String field, int line, String message) {
        return ApiError.invalid(List.of(new FieldError(field, withLine(line, message))));
    }

    private static String withLine(int line, String message) {
        return message + " (line " + line + ")";
    }
}
