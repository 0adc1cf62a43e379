package dev.agenthealth.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Agent cards as resources: {@code agent-health://agents/{agent_id}/card}. Thread-safe. */
final class AgentCardResources {

    private static final String CARD = "GET /agents/{agent_id}/.well-known/agent-card.json";
    private static final String AGENTS = "GET /api/v1/agents";
    private static final String URI = "agent-health://agents/%s/card";
    private static final Pattern URI_FORM = Pattern.compile("agent-health://agents/([A-Za-z0-9._:-]{1,64})/card");
    private static final String JSON = "application/json";

    private static final int PAGE = 100;
    private static final int MINUTE_MILLIS = 60_000;
    private static final int HOUR_MILLIS = 3_600_000;

    private final JsonNode templates;
    private final ApiCalls api;

    AgentCardResources(JsonNode templates, ApiCalls api) {
        this.templates = templates;
        this.api = api;
    }

    /** The cards of the active agents that the caller sees. An agent without an endpoint has none, which is known when it is read. */
    ObjectNode list(McpRequest request) {
        Map<String, String> query = new TreeMap<>(Map.of("limit", String.valueOf(PAGE)));
        if (request.params().hasNonNull("cursor")) {
            query.put("next_token", request.text("cursor"));
        }
        ObjectNode page;
        try {
            page = api.query(request.http(), AGENTS, query);
        } catch (Problem e) {
            throw McpError.of(McpError.INVALID_PARAMS, "The cursor is not one of this list and key.");
        }
        ObjectNode result = Json.object();
        ArrayNode resources = result.putArray("resources");
        page.path("agents").forEach(agent -> resources.add(resource(agent)));
        if (page.has("next_token")) {
            result.set("nextCursor", page.get("next_token"));
        }
        return Cached.forKey(result, MINUTE_MILLIS);
    }

    private static ObjectNode resource(JsonNode agent) {
        String agentId = agent.path("agent_id").asText();
        ObjectNode resource = Json.object().put("uri", URI.formatted(agentId)).put("name", agentId);
        if (agent.path("name").isTextual()) {
            resource.set("title", agent.get("name"));
        }
        return resource.put("description", "The A2A card of the agent " + agentId + ".")
                .put("mimeType", JSON);
    }

    ObjectNode templates(McpRequest request) {
        ObjectNode result = Json.object();
        result.set("resourceTemplates", templates);
        return Cached.everywhere(result, HOUR_MILLIS);
    }

    /**
     * The card of an agent.
     *
     * @throws McpError where there is none
     */
    ObjectNode read(McpRequest request) {
        String uri = request.text("uri");
        Matcher form = URI_FORM.matcher(uri);
        if (!form.matches()) {
            throw notFound(request, uri, "There is no resource of this form; resources/templates/list has the form.");
        }
        ObjectNode card;
        try {
            card = api.ofAgent(request.http(), CARD, form.group(1));
        } catch (Problem e) {
            throw notFound(request, uri, e.detail());
        }
        ObjectNode result = Json.object();
        result.putArray("contents")
                .addObject()
                .put("uri", uri)
                .put("mimeType", JSON)
                .put("text", Json.text(card));
        return Cached.everywhere(result, MINUTE_MILLIS);
    }

    private static McpError notFound(McpRequest request, String uri, String why) {
        int code = request.modern() ? McpError.INVALID_PARAMS : McpError.RESOURCE_NOT_FOUND;
        return McpError.of(
                200, code, "Resource not found: " + why, Json.object().put("uri", McpError.shown(uri)));
    }
}
