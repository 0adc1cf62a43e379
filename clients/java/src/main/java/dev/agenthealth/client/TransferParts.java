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

    /** The fields that make up the id of an object, by list. An error names the last field that is present. */
    private static final Map<String, List<String>> ID_FIELDS = Map.of(
            "keys", List.of("key_id"),
            "agents", List.of("agent_id"),
            "hosts", List.of("host"),
            "silences", List.of("owner_key_id", "name"),
            "stops", List.of("all", "agent_id", "role_id", "key_id"),
            "blocks", List.of("agent_id", "provider_id"),
            "span_mappings", List.of("key_id", "service_name", "agent_name"));

    private static final List<String> BY_NAME = List.of("name");
    private static final String SECRET = "secret_sha256";
    private static final String EARLIER = "earlier_secrets";

    /** The lists in the order in which objects refer to each other. */
    private static final List<String> ORDER = List.of(
            "configuration",
            "identity_providers",
            "keys",
            "workflows",
            "stops",
            "blocks",
            "containment",
            "agents",
            "span_mappings",
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
                sort(list, field.getKey());
            }
        });
        return whole;
    }

    private static void sort(ArrayNode list, String name) {
        List<JsonNode> sorted = new ArrayList<>();
        list.forEach(sorted::add);
        sorted.sort(Comparator.comparing(object -> String.join("\n", id(name, object))));
        list.removeAll();
        list.addAll(sorted);
    }

    /** Returns the values of the fields that make up the id of an object; empty texts for absent fields. */
    private static List<String> id(String name, JsonNode object) {
        return ID_FIELDS.getOrDefault(name, BY_NAME).stream()
                .map(field -> object.path(field).asText(""))
                .toList();
    }

    /**
     * Returns the errors of objects with the id or the secret of another object. The registry finds only two such objects in one part.
     */
    static Set<ObjectNode> repeated(ObjectNode whole) {
        Set<ObjectNode> errors = new LinkedHashSet<>();
        for (String name : ORDER) {
            List<String> idFields = ID_FIELDS.getOrDefault(name, BY_NAME);
            Set<List<String>> ids = new HashSet<>();
            JsonNode list = whole.path(name);
            for (int i = 0; list.isArray() && i < list.size(); i++) {
                List<String> id = id(name, list.get(i));
                int last = id.size() - 1;
                while (last >= 0 && id.get(last).isEmpty()) {
                    last--;
                }
                if (last >= 0 && !ids.add(id)) {
                    errors.add(
                            error(name + "[" + i + "]." + idFields.get(last), "must not be the id of another entry"));
                }
            }
        }
        errors.addAll(repeatedSecrets(whole.path("keys")));
        return errors;
    }

    private static Set<ObjectNode> repeatedSecrets(JsonNode keys) {
        Set<ObjectNode> errors = new LinkedHashSet<>();
        Set<String> secrets = new HashSet<>();
        for (int i = 0; keys.isArray() && i < keys.size(); i++) {
            addRepeated(secrets, keys.get(i), "keys[" + i + "]", errors);
            JsonNode earlier = keys.get(i).path(EARLIER);
            for (int j = 0; earlier.isArray() && j < earlier.size(); j++) {
                addRepeated(secrets, earlier.get(j), "keys[" + i + "]." + EARLIER + "[" + j + "]", errors);
            }
        }
        return errors;
    }

    private static void addRepeated(Set<String> secrets, JsonNode object, String place, Set<ObjectNode> errors) {
        String secret = Json.text(object, SECRET);
        if (!secret.isEmpty() && !secrets.add(secret)) {
            errors.add(error(place + "." + SECRET, "must stand only once in the document"));
        }
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
