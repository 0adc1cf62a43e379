package dev.agenthealth.functions.leases;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.PageToken;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseRule;
import dev.agenthealth.model.lease.LeaseStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Leases by intent and by agent, and the events of intents. An agent's key sees the leases and events of its agents, one of some
 * roles those of these roles. Thread-safe. */
final class LeaseLists {

    private final LeaseStore leases;
    private final EventStore events;
    private final AgentAccess access;
    private final Clock clock;

    LeaseLists(LeaseStore leases, EventStore events, AgentAccess access, Clock clock) {
        this.leases = leases;
        this.events = events;
        this.access = access;
        this.clock = clock;
    }

    /** {@code GET /api/v1/intents/{intent_id}/leases}: those in force, or those with the statuses in the query. */
    ApiResponse ofIntent(ApiRequest request) {
        String intentId = request.pathId("intent_id");
        Caller caller = request.caller();
        Fields query = request.queryFields();
        Set<LeaseStatus> statuses = statuses(query);
        int limit = PageToken.limit(query);
        String after = PageToken.position(request, query);
        query.check();
        Instant now = clock.instant();
        List<Lease> page = leases.ofIntent(intentId, after, limit);
        return json(
                request,
                page,
                limit,
                lease -> caller.mayActOn(lease.owner(), lease.roleId())
                        && statuses.contains(LeaseRule.statusAt(lease, now)),
                now);
    }

    /** {@code GET /api/v1/agents/{agent_id}/leases}: those in force, oldest first. */
    ApiResponse ofAgent(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Fields query = request.queryFields();
        int limit = PageToken.limit(query);
        String after = PageToken.position(request, query);
        query.check();
        StoredAgent agent = access.find(request.caller(), agentId);
        Instant now = clock.instant();
        Pulse pulse = agent.pulse();
        // Leases of earlier incarnations and of dead agents are refused, even before they are cleaned up.
        List<Lease> page = LeaseRule.mayHold(pulse.status())
                ? leases.ofAgent(agentId, incarnation -> incarnation == pulse.incarnation(), after, limit)
                : List.of();
        return json(request, page, limit, lease -> LeaseRule.isInForce(lease, now), now);
    }

    /** The leases of a page that belong into the list. */
    private static ApiResponse json(
            ApiRequest request, List<Lease> page, int limit, Predicate<Lease> belongs, Instant now) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("leases");
        page.stream().filter(belongs).forEach(lease -> array.add(LeaseJson.of(lease, now)));
        if (page.size() == limit) {
            json.put("next_token", PageToken.of(request, page.get(limit - 1).id()));
        }
        return ApiResponse.json(200, json);
    }

    /** {@code GET /api/v1/intents/{intent_id}/events}. */
    ApiResponse events(ApiRequest request) {
        String intentId = request.pathId("intent_id");
        Caller caller = request.caller();
        Fields query = request.queryFields();
        int limit = PageToken.limit(query);
        Instant since = query.timestamp("since").orElse(Instant.EPOCH);
        String position = PageToken.position(request, query);
        query.check();
        EventStore.Page page = events.ofIntent(intentId, position, since, limit, caller);
        ObjectNode json = Json.object();
        page.details().forEach(json.putArray("events")::add);
        if (page.more()) {
            json.put("next_token", PageToken.of(request, page.position()));
        }
        return ApiResponse.json(200, json);
    }

    private static Set<LeaseStatus> statuses(Fields query) {
        Set<LeaseStatus> statuses = EnumSet.noneOf(LeaseStatus.class);
        for (String word : query.words("status")) {
            LeaseStatus.ofWireName(word)
                    .ifPresentOrElse(
                            statuses::add, () -> query.refuse("status", "'" + word + "' is not the status of a lease"));
        }
        return statuses.isEmpty() ? EnumSet.of(LeaseStatus.ACTIVE) : statuses;
    }
}
