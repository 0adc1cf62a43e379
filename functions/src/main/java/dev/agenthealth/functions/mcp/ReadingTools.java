package dev.agenthealth.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.profile.AgentInterface;
import dev.agenthealth.model.profile.CapabilityTag;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The tools that only read. Their answers are shorter than those of the routes: models pay by length. Thread-safe. */
final class ReadingTools {

    static final String AGENTS = "GET /api/v1/agents";
    static final String SCORE = "GET /api/v1/agents/{agent_id}/health";
    static final String FLEET = "GET /api/v1/health";

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;
    private static final int MAX_WORDS = 16;
    private static final int MAX_CAPACITY = 1_000_000;
    private static final int MAX_TOKEN = 4_096;

    private static final String AGENT_ID = "agent_id";
    private static final String VERDICT = "verdict";
    private static final String BY_VERDICT = "by_verdict";
    private static final String NEXT_TOKEN = "next_token";

    private final ApiCalls api;

    ReadingTools(ApiCalls api) {
        this.api = api;
    }

    ObjectNode findAgents(ToolCall call) {
        Fields arguments = call.arguments();
        Map<String, String> query = new TreeMap<>();
        putWords(query, arguments, "capabilities", AgentInterface.MAX_CAPABILITIES, CapabilityTag.MAX_LENGTH);
        putWords(query, arguments, VERDICT, MAX_WORDS, CapabilityTag.MAX_LENGTH);
        putWords(query, arguments, "status", MAX_WORDS, CapabilityTag.MAX_LENGTH);
        // A caller of this tool needs an agent for one piece of work, which needs all of them.
        query.put(
                "capabilities_match",
                arguments
                        .oneOf("capabilities_match", new String[] {"all", "any"}, Function.identity())
                        .orElse("all"));
        put(query, "role_id", arguments.id("role_id"));
        put(query, NEXT_TOKEN, arguments.text(NEXT_TOKEN, MAX_TOKEN));
        arguments
                .integer("min_available_capacity", 0, MAX_CAPACITY)
                .ifPresent(minimum -> query.put("min_available_capacity", String.valueOf(minimum)));
        if (arguments.flag("most_available_first", false)) {
            query.put("sort", "available_capacity");
        }
        query.put(
                "limit", String.valueOf(arguments.integer("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT)));
        arguments.refuseUnknown();
        arguments.check();
        ObjectNode page = api.query(call.http(), AGENTS, query);
        ObjectNode found = Json.object();
        ArrayNode agents = found.putArray("agents");
        page.path("agents").forEach(row -> agents.add(agent(row)));
        for (String field : List.of("total", NEXT_TOKEN)) {
            if (page.has(field)) {
                found.set(field, page.get(field));
            }
        }
        return found;
    }

    private static ObjectNode agent(JsonNode row) {
        ObjectNode agent =
                chosen(row, AGENT_ID, "name", "role_id", "capabilities", VERDICT, "reasons", "score", "status");
        JsonNode maximum = row.path("capacity").path("max_concurrent_tasks");
        int load = row.path("capacity").path("current_load").asInt();
        agent.put("available_capacity", maximum.isNull() ? null : maximum.asInt() - load);
        agent.set("last_heartbeat_at", row.get("last_heartbeat_at"));
        return agent;
    }

    ObjectNode agentHealth(ToolCall call) {
        ObjectNode score = api.ofAgent(call.http(), SCORE, call.agentId());
        ObjectNode health = chosen(
                score,
                AGENT_ID,
                VERDICT,
                "reasons",
                "score",
                "state",
                "health_status",
                "lifecycle_status",
                "executions",
                "computed_at");
        health.setAll(chosen(score.path("calibration"), "response_ratio", "latency_p50_ms", "latency_p99_ms"));
        health.set("trend", score.get("calibration_trend"));
        ObjectNode dimensions = health.putObject("dimensions");
        score.path("dimensions")
                .properties()
                .forEach(dimension ->
                        dimensions.set(dimension.getKey(), dimension.getValue().get("score")));
        return health;
    }

    ObjectNode fleetHealth(ToolCall call) {
        call.arguments().refuseUnknown();
        call.arguments().check();
        ObjectNode system = api.query(call.http(), FLEET, Map.of());
        ObjectNode fleet =
                chosen(system, "agents", "dead", "score", BY_VERDICT, "by_lifecycle_status", "as_of", "registry");
        fleet.set("survival_rate", system.path("survival").get("rate"));
        ArrayNode roles = fleet.putArray("roles");
        system.path("groups").path("role").properties().forEach(role -> {
            ObjectNode shown = roles.addObject().put("role_id", role.getKey());
            shown.setAll(chosen(role.getValue(), "agents", "dead", "score", BY_VERDICT));
        });
        return fleet;
    }

    private static ObjectNode chosen(JsonNode answer, String... fields) {
        ObjectNode chosen = Json.object();
        for (String field : fields) {
            if (answer.has(field)) {
                chosen.set(field, answer.get(field));
            }
        }
        return chosen;
    }

    private static void put(Map<String, String> query, String parameter, String text) {
        if (!text.isEmpty()) {
            query.put(parameter, text);
        }
    }

    /** The route takes several words as a list that commas separate. */
    private static void putWords(
            Map<String, String> query, Fields arguments, String name, int maxCount, int maxLength) {
        List<String> words = arguments.texts(name, maxCount, maxLength);
        for (int i = 0; i < words.size(); i++) {
            if (!CapabilityTag.fitsIntoList(words.get(i))) {
                arguments.refuse(name + "[" + i + "]", "must not have a comma, or spaces at its ends");
            }
        }
        put(query, name, String.join(",", words));
    }
}
