package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.health.Scores;
import dev.agenthealth.functions.health.SystemHealth;
import dev.agenthealth.functions.registry.ListFilters;
import dev.agenthealth.functions.registry.ListQuery;
import dev.agenthealth.functions.registry.Listing;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.profile.AgentKind;
import java.util.Set;

/** The tools that only read. Their answers are shorter than the answers of the routes, as models pay by length. Thread-safe. */
final class ReadingTools {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private static final String AGENT_ID = "agent_id";
    private static final String KIND = "kind";
    private static final String VERDICT = "verdict";
    private static final String BY_VERDICT = "by_verdict";
    private static final String NEXT_TOKEN = "next_token";

    private final Listing listing;
    private final Scores scores;
    private final SystemHealth system;

    ReadingTools(Listing listing, Scores scores, SystemHealth system) {
        this.listing = listing;
        this.scores = scores;
        this.system = system;
    }

    ObjectNode findAgents(ToolCall call) {
        // A caller of this tool needs an agent for one piece of work, which needs all these capabilities.
        Fields arguments = call.arguments().withDefault("capabilities_match", "all");
        ListFilters filters = new ListFilters(
                arguments.anyOf(KIND, AgentKind.class),
                Set.of(),
                arguments.anyOf(VERDICT, Verdict.class),
                ListFilters.Flags.NONE,
                false);
        String order = "most_available_first";
        ListQuery query = ListQuery.of(arguments, filters, arguments.flag(order, false), order);
        int limit = arguments.integer("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
        ApiRequest http = call.request().http();
        Cursor cursor = Cursor.ofText(PageToken.positionInBody(http, call.question(), arguments, NEXT_TOKEN));
        arguments.refuseUnknown();
        arguments.check();
        ObjectNode found = Json.object();
        ArrayNode agents = found.putArray("agents");
        Listing.End end = listing.page(call.caller(), query, limit, cursor, row -> agents.add(agent(row)) != null);
        end.total().ifPresent(total -> found.put("total", total));
        if (!end.next().isEmpty()) {
            found.put(NEXT_TOKEN, PageToken.ofBody(http, call.question(), end.next()));
        }
        return found;
    }

    private static ObjectNode agent(JsonNode row) {
        ObjectNode agent =
                chosen(row, AGENT_ID, KIND, "name", "role_id", "capabilities", VERDICT, "reasons", "score", "status");
        JsonNode maximum = row.path("capacity").path("max_concurrent_tasks");
        int load = row.path("capacity").path("current_load").asInt();
        agent.put("available_capacity", maximum.isNull() ? null : maximum.asInt() - load);
        agent.set("last_heartbeat_at", row.get("last_heartbeat_at"));
        return agent;
    }

    ObjectNode agentHealth(ToolCall call) {
        ObjectNode score = scores.current(call.caller(), call.onlyAgentId()).json();
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
        ObjectNode all = system.of(call.caller());
        ObjectNode fleet =
                chosen(all, "agents", "dead", "score", BY_VERDICT, "by_lifecycle_status", "as_of", "registry");
        fleet.set("survival_rate", all.path("survival").get("rate"));
        ArrayNode roles = fleet.putArray("roles");
        all.path("groups").path("role").properties().forEach(role -> {
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
}
