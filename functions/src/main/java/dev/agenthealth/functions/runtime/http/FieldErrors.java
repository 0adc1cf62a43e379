package dev.agenthealth.functions.runtime.http;

import dev.agenthealth.model.FieldError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the errors of one request, at most one per field, in the order in which they are found. Not thread-safe. */
public class FieldErrors {

    private final Map<String, FieldError> errors = new LinkedHashMap<>();

    /** Adds an error, unless the field already has one. */
    public void add(String field, String message) {
        errors.putIfAbsent(field, new FieldError(field, message));
    }

    /** Returns the number of fields with an error. */
    public int count() {
        return errors.size();
    }

    /** Returns the errors in the order in which they were found. */
    List<FieldError> found() {
        return List.copyOf(errors.values());
    }

    /**
     * Ends the reading of a request.
     *
     * @throws ApiError 400 naming every error, if there is one
     */
    public void check() {
        if (!errors.isEmpty()) {
            throw ApiError.invalid(found());
        }
    }
}
