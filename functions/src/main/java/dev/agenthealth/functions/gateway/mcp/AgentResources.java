package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.health.AgentCards;
import dev.agenthealth.functions.health.HealthDocuments;
import dev.agenthealth.functions.registry.AgentRecords;
import dev.agenthealth.functions.registry.ListQuery;
import dev.agenthealth.functions.registry.Listing;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.FieldErrors;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The record, the health document and the card of an agent as resources: {@code agent-health://agents/{agent_id}}, and the same with
 * {@code /health} or {@code /card}. Thread-safe.
 */
final class AgentResources {

    private static final String URI = "agent-health://agents/";

    /** The form of a URI. A client that fills in a template encodes the colon of an id, as RFC 6570 demands. */
    private static final Pattern URI_FORM = Pattern.compile(URI + "((?:[A-Za-z0-9._:-]|%3[Aa]){1,64})(|/health|/card)");

    private static final Pattern COLON = Pattern.compile("%3a", Pattern.CASE_INSENSITIVE);
    private static final String LIST = "resources/list";
    private static final String JSON = "application/json";

    /** The number of agents per page. Each agent has up to three resources. */
    private static final int AGENTS_IN_PAGE = 100;

    private static final int SECONDS_MILLIS = 5_000;
    private static final int MINUTE_MILLIS = 60_000;
    private static final int HOUR_MILLIS = 3_600_000;

    private final JsonNode templates;
    private final Listing listing;
    private final AgentStore agents;
    private final AgentAccess access;
    private final AgentRecords records;
    private final HealthDocuments documents;
    private final AgentCards cards;

    AgentResources(JsonNode templates, Wiring wiring, Database database) {
        this.templates = templates;
        this.listing = new Listing(database, wiring.clock());
        this.agents = new AgentStore(database);
        this.access = new AgentAccess(agents);
        this.records = new AgentRecords(wiring, database);
        this.documents = new HealthDocuments(database, wiring.clock());
        this.cards = new AgentCards(database, CardSigner.NONE);
    }

    /** Returns the resources of the active agents that the caller sees. Agents with an endpoint have a card, except MCP servers. */
    ObjectNode list(McpRequest request) {
        Cursor cursor = cursor(request);
        List<ObjectNode> rows = new ArrayList<>();
        Listing.End end = listing.page(request.http().caller(), ListQuery.ACTIVE, AGENTS_IN_PAGE, cursor, rows::add);
        ObjectNode result = Json.object();
        ArrayNode resources = result.putArray("resources");
        Map<String, AgentProfile> profiles = agents.profiles(rows.stream().map(AgentResources::agentId));
        for (ObjectNode agent : rows) {
            AgentProfile profile = profiles.get(agentId(agent));
            resources.add(resource(agent, "", "The registry's record of the agent %s."));
            resources.add(resource(agent, "/health", "The health document of the agent %s."));
            if (profile != null
                    && profile.agentInterface().kind() == AgentKind.AGENT
                    && !profile.agentInterface().endpoint().isEmpty()) {
                resources.add(resource(agent, "/card", "The A2A card of the agent %s."));
            }
        }
        if (!end.next().isEmpty()) {
            result.put("nextCursor", PageToken.ofBody(request.http(), LIST, end.next()));
        }
        return Cached.forKey(result, MINUTE_MILLIS);
    }

    private static Cursor cursor(McpRequest request) {
        Fields params = Fields.ofTree(request.params(), new FieldErrors()).withEmptyTexts();
        Cursor cursor = Cursor.ofText(PageToken.positionInBody(request.http(), LIST, params, "cursor"));
        try {
            params.check();
        } catch (ApiError e) {
            throw McpError.of(McpError.INVALID_PARAMS, "The cursor is not one of this list and key.");
        }
        return cursor;
    }

    private static String agentId(JsonNode agent) {
        return agent.path("agent_id").asText();
    }

    private static ObjectNode resource(JsonNode agent, String part, String description) {
        String agentId = agentId(agent);
        ObjectNode resource = Json.object().put("uri", URI + agentId + part).put("name", agentId + part);
        if (agent.path("name").isTextual()) {
            resource.set("title", agent.get("name"));
        }
        return resource.put("description", description.formatted(agentId)).put("mimeType", JSON);
    }

    ObjectNode templates(McpRequest request) {
        ObjectNode result = Json.object();
        result.set("resourceTemplates", templates);
        return Cached.everywhere(result, HOUR_MILLIS);
    }

    /**
     * Returns the document of an agent.
     *
     * @throws McpError if the document does not exist, or the caller may not see it
     */
    ObjectNode read(McpRequest request) {
        String uri = request.text("uri");
        Matcher form = URI_FORM.matcher(uri);
        if (!form.matches()) {
            throw notFound(request, uri, "There is no resource of this form; resources/templates/list has the forms.");
        }
        try {
            String agentId = COLON.matcher(form.group(1)).replaceAll(":");
            return read(request.http(), uri, agentId, form.group(2));
        } catch (ApiError e) {
            throw notFound(request, uri, e.detail());
        }
    }

    private ObjectNode read(ApiRequest http, String uri, String agentId, String part) {
        return switch (part) {
            case "/card" ->
                Cached.everywhere(content(uri, cards.card(agentId, http.served().baseUrl())), MINUTE_MILLIS);
            case "/health" -> Cached.forKey(content(uri, documents.json(agentId, http)), SECONDS_MILLIS);
            default -> {
                ObjectNode record = records.json(access.find(http.caller(), agentId));
                yield Cached.forKey(content(uri, record), SECONDS_MILLIS);
            }
        };
    }

    private static ObjectNode content(String uri, ObjectNode document) {
        ObjectNode result = Json.object();
        result.putArray("contents")
                .addObject()
                .put("uri", uri)
                .put("mimeType", JSON)
                .put("text", Json.text(document));
        return result;
    }

    private static McpError notFound(McpRequest request, String uri, String why) {
        int code = request.modern() ? McpError.INVALID_PARAMS : McpError.RESOURCE_NOT_FOUND;
        return McpError.of(
                200, code, "Resource not found: " + why, Json.object().put("uri", McpError.shown(uri)));
    }
}
