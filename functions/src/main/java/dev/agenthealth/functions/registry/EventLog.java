package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.AnswerItems;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.model.event.EventType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The events of one agent, and of the whole system (RFC-0016 §2.3, §8.3). Thread-safe. */
final class EventLog {

    /** The age of the first events in the feed of the system without {@code since}. */
    private static final Duration DEFAULT_LOOK_BACK = Duration.ofHours(1);

    private static final String SINCE = "since";

    private final EventStore events;
    private final AgentAccess access;
    private final Clock clock;

    EventLog(EventStore events, AgentAccess access, Clock clock) {
        this.events = events;
        this.access = access;
        this.clock = clock;
    }

    /** {@code GET /api/v1/agents/{agent_id}/events}. */
    ApiResponse ofAgent(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        access.find(request.caller(), agentId);
        Fields query = request.queryFields();
        Paging paging = Paging.of(request, query);
        Instant since = query.timestamp(SINCE).orElse(Instant.EPOCH);
        query.check();
        ObjectNode json = Json.object();
        AnswerItems shown = new AnswerItems(json, "events");
        boolean all = request.caller().mayListAgents();
        ListPage<JsonNode> page = events.ofAgent(
                agentId,
                new EventStore.Asked(
                        paging.after(), since, paging.limit(), detail -> shown.add(all ? detail : ofAgentKey(detail))));
        PageToken.putNext(json, request, page.next());
        return ApiResponse.json(200, json);
    }

    /** Returns an event for an agent's key. The reason of a block is only for operators. */
    private static JsonNode ofAgentKey(JsonNode detail) {
        return detail.path("type").asText().equals(EventType.AGENT_TRUST.wireName())
                ? ((ObjectNode) detail.deepCopy()).put("reason", "for operators")
                : detail;
    }

    /** {@code GET /api/v1/events}. The end of the feed also has a {@code resume_token}, with which a reader continues later. */
    ApiResponse ofSystem(ApiRequest request) {
        Fields query = request.queryFields();
        String position = PageToken.position(request, query, SINCE);
        Instant since = query.timestamp(SINCE).orElse(clock.instant().minus(DEFAULT_LOOK_BACK));
        int limit = PageToken.limit(query);
        Predicate<JsonNode> wanted = filter(query);
        query.check();
        Set<String> roleIds = request.caller().roleIds();
        ObjectNode json = Json.object();
        EventStore.FeedPage page = events.ofSystem(
                position,
                since,
                limit,
                wanted.and(detail -> EventStore.isOfRole(detail, roleIds)),
                new AnswerItems(json, "events")::add);
        // A token has the position at which the reader continues, so {@code since} of the first page does not matter.
        String token = PageToken.of(request, page.position(), SINCE);
        if (page.more()) {
            json.put("next_token", token);
        }
        json.put("resume_token", token);
        return ApiResponse.json(200, json);
    }

    /** Returns a filter for events of any of the types in the query, and of the agent and role in it. */
    private static Predicate<JsonNode> filter(Fields query) {
        Set<String> types = query.anyOf("type", EventType.class).stream()
                .map(EventType::wireName)
                .collect(Collectors.toSet());
        String agentId = query.id("agent_id");
        String roleId = query.id("role_id");
        return detail -> (types.isEmpty() || types.contains(detail.path("type").asText()))
                && (agentId.isEmpty() || agentId.equals(detail.path("agent_id").asText()))
                && (roleId.isEmpty() || roleId.equals(detail.path("role_id").asText()));
    }
}
