package dev.agenthealth.functions.coordination;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.model.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The faults of a YAML text, each with its field and its line; at most one a field. Not thread-safe. */
final class YamlFaults {

    /** More than these help nobody. */
    private static final int MOST = 100;

    private final Map<String, FieldError> faults = new LinkedHashMap<>();

    void add(String field, int line, String message) {
        if (faults.size() < MOST) {
            faults.putIfAbsent(field, new FieldError(field, message + " (line " + line + ")"));
        }
    }

    int count() {
        return faults.size();
    }

    /**
     * @throws Problem 400 naming every fault, where there is one
     */
    void check() {
        if (!faults.isEmpty()) {
            throw Problem.invalid(new ArrayList<>(faults.values()));
        }
    }

    /** 400 for a fault after which nothing more can be read. */
    static Problem fatal(String field, int line, String message) {
        return Problem.invalid(List.of(new FieldError(field, message + " (line " + line + ")")));
    }
}
