package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of the fields that a caller sent, the names that were read, and the errors that were found. {@link Fields} reads the values. Not
 * thread-safe.
 */
public abstract sealed class NamedFields permits Fields {

    final JsonNode node;
    final boolean query;
    final String prefix;
    final FieldErrors errors;
    final Set<String> known = new HashSet<>();

    NamedFields(JsonNode node, boolean query, String prefix, FieldErrors errors) {
        this.node = node;
        this.query = query;
        this.prefix = prefix;
        this.errors = errors;
    }

    /** Returns whether the field is present and not null. The field is known then, so that null has the meaning of an absent field. */
    public boolean has(String field) {
        known.add(field);
        return node.hasNonNull(field);
    }

    /** Returns whether the field is present, even if it is null: in a profile change, null clears a field. */
    public boolean mentions(String field) {
        return node.has(field);
    }

    /** Returns the names of all fields. */
    public List<String> names() {
        List<String> names = new ArrayList<>(node.size());
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Records an error of a field, unless it already has one. */
    public void refuse(String field, String message) {
        errors.add(prefix + field, message);
    }

    /** Records errors found by a rule of the model; their field names are complete. */
    public void refuse(List<FieldError> found) {
        found.forEach(error -> errors.add(error.field(), error.message()));
    }

    /** Returns the errors of all fields of the whole request. */
    public List<FieldError> errors() {
        return errors.found();
    }

    /** Returns the number of fields of the whole request with an error. */
    public int errorCount() {
        return errors.count();
    }

    /** Records an error if the field is absent or an empty text. */
    public void require(String field) {
        if (!has(field)
                || node.get(field).isTextual() && node.get(field).textValue().isEmpty()) {
            refuse(field, "is required");
        }
    }

    /** Records an error for every field that was not read. Otherwise a misspelt name would become a default without an error. */
    public void refuseUnknown() {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                refuse(
                        name,
                        query
                                ? "is not a parameter of this request, which takes " + knownNames()
                                : "is not a field of this request");
            }
        }
    }

    private String knownNames() {
        return known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known));
    }

    /** Records an error if the field is present with a value other than this text, whole number, moment or null. */
    public void refuseChange(String field, Object current) {
        known.add(field);
        if (mentions(field) && !FieldValues.same(node.get(field), current)) {
            Object shown = current instanceof Instant moment ? Timestamps.text(moment) : current;
            refuse(field, "cannot be changed by this request; it is " + shown);
        }
    }

    /**
     * Ends the reading. A query must have no unread parameter and no parameter without a value.
     *
     * @throws ApiError 400 naming every error, if there is one
     */
    public void check() {
        refuseUnread();
        errors.check();
    }

    /** Ends the reading of query parameters. Their errors become errors of the body of the same request, so that one answer names both. */
    public void checkWith(NamedFields body) {
        refuseUnread();
        body.refuse(errors());
    }

    private void refuseUnread() {
        if (query) {
            refuseUnknown();
            names().stream().filter(name -> !has(name)).forEach(name -> refuse(name, "must not be empty"));
        }
    }
}
