package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.identity.Author;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An object of a document that is imported.
 *
 * @param id the object's id, unique in its section
 * @param wanted the object in the form of the document, complete with defaults
 * @param unique the values that stand only once in a document, by their fields, such as the secrets of keys
 * @param current returns the present object in the same form; empty if the registry has no such object. Throws an
 *     {@link dev.agenthealth.functions.runtime.http.ApiError} if the registry refuses the object
 * @param secrets the secrets that an operator has to set after the import, such as {@code target.url}
 * @param obstacle the reason for which the object cannot be imported here; empty if it can
 * @param write creates or replaces the object. Throws an {@link dev.agenthealth.functions.runtime.http.ApiError} if the registry refuses the
 *     object
 */
public record Entry(
        String id,
        ObjectNode wanted,
        Map<String, String> unique,
        Supplier<Optional<ObjectNode>> current,
        List<String> secrets,
        String obstacle,
        Consumer<Author> write) {

    public Entry {
        unique = Collections.unmodifiableMap(new LinkedHashMap<>(unique));
        secrets = List.copyOf(secrets);
    }

    /** Returns an entry without secrets and without an obstacle. */
    public static Entry of(
            String id, ObjectNode wanted, Supplier<Optional<ObjectNode>> current, Consumer<Author> write) {
        return new Entry(id, wanted, Map.of(), current, List.of(), "", write);
    }

    /** Returns an entry that the import skips. */
    public static Entry skipped(String id, String obstacle) {
        return new Entry(id, Json.object(), Map.of(), Optional::empty, List.of(), obstacle, author -> {});
    }

    /** Returns the same entry with secrets that an operator has to set. */
    public Entry needing(List<String> missing) {
        return new Entry(id, wanted, unique, current, missing, obstacle, write);
    }

    /** Returns the same entry with values that stand only once in a document. */
    public Entry withUnique(Map<String, String> values) {
        return new Entry(id, wanted, values, current, secrets, obstacle, write);
    }
}
