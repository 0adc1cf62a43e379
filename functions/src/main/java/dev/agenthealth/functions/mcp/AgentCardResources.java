package dev.agenthealth.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.health.AgentCards;
import dev.agenthealth.functions.http.FieldErrors;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.PageToken;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.registry.ListQuery;
import dev.agenthealth.functions.registry.Listing;
import dev.agenthealth.functions.signing.CardSigner;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Agent cards as resources: {@code agent-health://agents/{agent_id}/card}. Thread-safe. */
final class AgentCardResources {

    private static final String URI = "agent-health://agents/%s/card";
    private static final Pattern URI_FORM = Pattern.compile("agent-health://agents/([A-Za-z0-9._:-]{1,64})/card");
    private static final String LIST = "resources/list";
    private static final String JSON = "application/json";

    private static final int PAGE = 100;
    private static final int MINUTE_MILLIS = 60_000;
    private static final int HOUR_MILLIS = 3_600_000;

    private final JsonNode templates;
    private final Listing listing;
    private final AgentCards cards;
    private final AgentStore agents;

    AgentCardResources(JsonNode templates, Database database, Clock clock) {
        this.templates = templates;
        this.listing = new Listing(database, clock);
        this.cards = new AgentCards(database, CardSigner.NONE);
        this.agents = new AgentStore(database);
    }

    /** The cards of the active agents that the caller sees and that declare an endpoint: others have no card. A page may be empty. */
    ObjectNode list(McpRequest request) {
        Cursor cursor = cursor(request);
        List<ObjectNode> rows = new ArrayList<>();
        Listing.End end = listing.page(request.http().caller(), ListQuery.ACTIVE_AGENTS, PAGE, cursor, rows::add);
        ObjectNode result = Json.object();
        ArrayNode resources = result.putArray("resources");
        Map<String, AgentProfile> profiles = agents.profiles(rows.stream().map(AgentCardResources::agentId));
        for (ObjectNode agent : rows) {
            AgentProfile profile = profiles.get(agentId(agent));
            if (profile != null && !profile.agentInterface().endpoint().isEmpty()) {
                resources.add(resource(agent));
            }
        }
        end.next().ifPresent(next -> result.put("nextCursor", PageToken.ofBody(request.http(), LIST, next.text())));
        return Cached.forKey(result, MINUTE_MILLIS);
    }

    private static Cursor cursor(McpRequest request) {
        Fields params = Fields.ofTree(request.params(), new FieldErrors());
        Cursor cursor = Cursor.ofText(PageToken.positionInBody(request.http(), LIST, params, "cursor"));
        try {
            params.check();
        } catch (Problem e) {
            throw McpError.of(McpError.INVALID_PARAMS, "The cursor is not one of this list and key.");
        }
        return cursor;
    }

    private static String agentId(JsonNode agent) {
        return agent.path("agent_id").asText();
    }

    private static ObjectNode resource(JsonNode agent) {
        String agentId = agentId(agent);
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
            card = cards.card(form.group(1), request.http().origin());
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
