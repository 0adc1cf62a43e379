package dev.agenthealth.functions.storage.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.identity.Author;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A change in the audit log.
 *
 * @param author the author of the change; empty for an entry that is not recorded, because the registry itself made the change or
 *     nothing changed
 * @param action the action, such as {@code key.issued}
 * @param before the changed fields before the change, by their paths with dots; never a secret
 * @param after the changed fields after the change
 */
public record AuditEntry(
        Optional<Author> author, String action, AuditObject object, ObjectNode before, ObjectNode after) {

    /** No entry. */
    public static final AuditEntry NONE =
            new AuditEntry(Optional.empty(), "", new AuditObject("", ""), Json.object(), Json.object());

    /** The action of a refused attempt. */
    static final String REFUSED = "request.refused";

    /** Returns the entry of a refused attempt. */
    public static AuditEntry refused(Author author, AuditObject object, ObjectNode after) {
        return of(author, REFUSED, object, after);
    }

    /** Returns the entry of an action that is recorded whatever the previous fields were. */
    public static AuditEntry of(Author author, String action, AuditObject object, ObjectNode after) {
        return new AuditEntry(Optional.of(author), action, object, Json.object(), after);
    }

    /**
     * Returns the entry of a change; {@link #NONE} if no field changed.
     *
     * @param before the fields that the log may show, before the change; without fields if the object is new
     * @param after the same fields after the change; without fields if the object was removed
     */
    public static AuditEntry of(Author author, String action, AuditObject object, JsonNode before, JsonNode after) {
        TreeMap<String, JsonNode> old = new TreeMap<>();
        TreeMap<String, JsonNode> now = new TreeMap<>();
        flatten("", before, old);
        flatten("", after, now);
        old.entrySet().removeIf(field -> now.remove(field.getKey(), field.getValue()));
        return old.isEmpty() && now.isEmpty()
                ? NONE
                : new AuditEntry(
                        Optional.of(author),
                        action,
                        object,
                        Json.object().setAll(old),
                        Json.object().setAll(now));
    }

    private static void flatten(String path, JsonNode node, TreeMap<String, JsonNode> fields) {
        if (node.isArray() && node.path(0).isObject()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "." + i, node.get(i), fields);
            }
        } else if (node.isObject()) {
            node.properties()
                    .forEach(field -> flatten(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), fields));
        } else if (!node.isNull() && !node.isMissingNode() && !(node.isArray() && node.isEmpty())) {
            fields.put(path, node);
        }
    }
}
