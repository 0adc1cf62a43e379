package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Joins the pages of an exported document, and splits a document into parts that fit into requests. */
final class TransferParts {

    /** The lists of a document with the ids of their objects, in the order in which objects refer to each other. */
    private static final Map<String, String> ID_FIELDS =
            Map.of("keys", "key_id", "agents", "agent_id", "hosts", "host");

    private static final List<String> ORDER = List.of(
            "configuration",
            "identity_providers",
            "keys",
            "workflows",
            "agents",
            "hosts",
            "notifications",
            "silences",
            "sources",
            "status_page");

    private static final List<String> HEAD = List.of("format", "version", "exported_at");

    private static final int MAX_ENTRIES = 100;
    private static final int MAX_CHARACTERS = 1_000_000;

    private static final Pattern LISTED = Pattern.compile("(\\w+)\\[(\\d+)](.*)");

    private TransferParts() {}

    /**
     * A part of a document.
     *
     * @param offsets the index, in the whole document, of the first object of each list
     */
    record Part(ObjectNode document, Map<String, Integer> offsets) {

        private static Part beginning(ObjectNode whole) {
            ObjectNode head = Json.object();
            HEAD.forEach(field -> {
                if (whole.has(field)) {
                    head.set(field, whole.get(field));
                }
            });
            return new Part(head, new HashMap<>());
        }

        /** Returns the name of a field of this part in the whole document. */
        String fieldOfDocument(String field) {
            Matcher listed = LISTED.matcher(field);
            return listed.matches()
                    ? listed.group(1) + "["
                            + (Integer.parseInt(listed.group(2)) + offsets.getOrDefault(listed.group(1), 0)) + "]"
                            + listed.group(3)
                    : field;
        }
    }

    /** Returns one document of all pages, with the objects of each list in the order of their ids. */
    static ObjectNode joined(List<JsonNode> pages) {
        ObjectNode whole = Json.object();
        for (JsonNode page : pages) {
            page.properties().forEach(field -> {
                if (field.getValue().isArray()) {
                    ArrayNode list = whole.withArray(field.getKey());
                    field.getValue().forEach(list::add);
                } else if (!whole.has(field.getKey())) {
                    whole.set(field.getKey(), field.getValue());
                }
            });
        }
        whole.remove("next_token");
        whole.properties().forEach(field -> {
            if (field.getValue() instanceof ArrayNode list) {
                sort(list, ID_FIELDS.getOrDefault(field.getKey(), "name"));
            }
        });
        return whole;
    }

    private static void sort(ArrayNode list, String idField) {
        List<JsonNode> sorted = new ArrayList<>();
        list.forEach(sorted::add);
        sorted.sort(Comparator.comparing((JsonNode object) -> Json.text(object, idField))
                .thenComparing(object -> Json.text(object, "owner_key_id")));
        list.removeAll();
        list.addAll(sorted);
    }

    /**
     * Returns the errors of objects with the id of another object. The registry finds only two such objects in one part.
     */
    static Set<ObjectNode> repeated(ObjectNode whole) {
        Set<ObjectNode> errors = new LinkedHashSet<>();
        for (String name : ORDER) {
            String idField = ID_FIELDS.getOrDefault(name, "name");
            Set<List<String>> ids = new HashSet<>();
            JsonNode list = whole.path(name);
            for (int i = 0; list.isArray() && i < list.size(); i++) {
                String id = Json.text(list.get(i), idField);
                String owner = name.equals("silences") ? Json.text(list.get(i), "owner_key_id") : "";
                if (!id.isEmpty() && !ids.add(List.of(owner, id))) {
                    errors.add(error(name + "[" + i + "]." + idField, "must not be the id of another entry"));
                }
            }
        }
        return errors;
    }

    static ObjectNode error(String field, String message) {
        return Json.object().put("field", field).put("message", message);
    }

    /** Returns parts with all fields of a document. Unknown fields are in the first part, so that the registry refuses them. */
    static List<Part> of(ObjectNode whole) {
        TreeSet<String> others = new TreeSet<>();
        whole.fieldNames().forEachRemaining(others::add);
        others.removeAll(HEAD);
        ORDER.forEach(others::remove);
        List<Part> parts = new ArrayList<>();
        Part part = Part.beginning(whole);
        for (String name : others) {
            part.document().set(name, whole.get(name));
        }
        int entries = 0;
        int characters = 0;
        for (String name : ORDER) {
            JsonNode value = whole.path(name);
            boolean isList = value.isArray();
            for (int i = 0; i < (isList ? value.size() : value.isMissingNode() ? 0 : 1); i++) {
                JsonNode object = isList ? value.get(i) : value;
                int size = object.toString().length();
                if (entries == MAX_ENTRIES || entries > 0 && characters + size > MAX_CHARACTERS) {
                    parts.add(part);
                    part = Part.beginning(whole);
                    entries = 0;
                    characters = 0;
                }
                if (isList) {
                    part.offsets().putIfAbsent(name, i);
                    part.document().withArray(name).add(object);
                } else {
                    part.document().set(name, object);
                }
                entries++;
                characters += size;
            }
        }
        parts.add(part);
        return parts;
    }
}
