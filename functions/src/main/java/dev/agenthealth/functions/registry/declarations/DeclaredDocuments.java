package dev.agenthealth.functions.registry.declarations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CanonicalJson;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.declaration.DeclaredParts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the parts of a document that clients depend on, independent of the order of fields and elements. Versions, signatures and
 * descriptions of a whole agent do not belong to these parts, because they change with every release.
 */
public final class DeclaredDocuments {

    private DeclaredDocuments() {}

    /** Returns the parts of an agent card of A2A 0.3 or 1.0: name, endpoint, skills and security. */
    public static DeclaredParts ofCard(JsonNode card) {
        Map<String, Collection<String>> parts = new TreeMap<>();
        add(parts, "name", card.path("name").asText());
        Set<String> interfaces = new TreeSet<>();
        addInterface(interfaces, card, card.path("preferredTransport"));
        for (JsonNode other : card.path("additionalInterfaces")) {
            addInterface(interfaces, other, other.path("transport"));
        }
        for (JsonNode other : card.path("supportedInterfaces")) {
            addInterface(interfaces, other, other.path("protocolBinding"));
        }
        add(parts, "endpoint", interfaces.toString());
        for (JsonNode skill : card.path("skills")) {
            ObjectNode content = Json.object();
            content.put("name", skill.path("name").asText());
            content.put("description", skill.path("description").asText());
            content.put("tags", elements(skill.path("tags")).toString());
            content.put("security", elements(security(skill)).toString());
            add(parts, "skill:" + skill.path("id").asText(skill.path("name").asText()), canonical(content));
        }
        card.path("securitySchemes")
                .properties()
                .forEach(scheme -> add(parts, "security:" + scheme.getKey(), canonical(scheme.getValue())));
        if (!security(card).isEmpty()) {
            add(parts, "security", elements(security(card)).toString());
        }
        return DeclaredParts.of(parts);
    }

    /** Returns the security requirements, by their name in 1.0, otherwise by their name in 0.3. */
    private static JsonNode security(JsonNode declaring) {
        return declaring.has("securityRequirements")
                ? declaring.path("securityRequirements")
                : declaring.path("security");
    }

    private static void addInterface(Set<String> interfaces, JsonNode declaring, JsonNode binding) {
        String url = declaring.path("url").asText();
        if (!url.isEmpty()) {
            ObjectNode content = Json.object();
            content.put("url", url);
            content.put("binding", binding.asText("JSONRPC"));
            content.put("tenant", declaring.path("tenant").asText());
            interfaces.add(canonical(content));
        }
    }

    /** Returns the parts of the tools of an MCP server. */
    public static DeclaredParts ofTools(Iterable<JsonNode> tools) {
        Map<String, Collection<String>> parts = new TreeMap<>();
        for (JsonNode tool : tools) {
            ObjectNode content = Json.object();
            for (String field : new String[] {"title", "description", "inputSchema", "outputSchema", "annotations"}) {
                if (tool.hasNonNull(field)) {
                    content.set(field, tool.path(field));
                }
            }
            add(parts, "tool:" + tool.path("name").asText(), canonical(content));
        }
        return DeclaredParts.of(parts);
    }

    private static void add(Map<String, Collection<String>> parts, String name, String content) {
        parts.computeIfAbsent(name, first -> new ArrayList<>()).add(content);
    }

    private static Set<String> elements(JsonNode array) {
        Set<String> elements = new TreeSet<>();
        array.forEach(element -> elements.add(canonical(element)));
        return elements;
    }

    private static String canonical(JsonNode tree) {
        try {
            return new String(CanonicalJson.of(tree), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // A value without a canonical form must take part in the comparison too.
            return Json.text(Json.sorted(tree));
        }
    }
}
