package dev.agenthealth.functions.storage.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.identity.Author;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A change that the audit log has.
 *
 * @param author who made it; empty for one that is not recorded: the registry itself made it, or nothing changed
 * @param action what was done, such as {@code key.issued}
 * @param before the fields that changed, as they were, by their paths with dots; never a secret
 * @param after the fields that changed, as they are
 */
public record AuditEntry(
        Optional<Author> author, String action, AuditObject object, ObjectNode before, ObjectNode after) {

    /** No entry. */
    public static final AuditEntry NONE =
            new AuditEntry(Optional.empty(), "", new AuditObject("", ""), Json.object(), Json.object());

    /** The action of an attempt that was refused. */
    static final String REFUSED = "request.refused";

    /** An attempt that was refused. */
    public static AuditEntry refused(Author author, AuditObject object, ObjectNode after) {
        return of(author, REFUSED, object, after);
    }

    /** An action that is recorded whatever the fields were before. */
    public static AuditEntry of(Author author, String action, AuditObject object, ObjectNode after) {
        return new AuditEntry(Optional.of(author), action, object, Json.object(), after);
    }

    /**
     * A change; {@link #NONE} where no field changed.
     *
     * @param before the fields that the log may show, as they were; without any for what is new
     * @param after these fields as they are; without any for what is gone
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
