package dev.agenthealth.functions.registry.leases;

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
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lists leases by intent and by agent, and the events of intents. An agent's key sees the leases and events of its agents. A key with some
 * roles sees the leases and events of these roles. Thread-safe.
 */
public final class LeaseLists {

    private final LeaseStore leases;
    private final EventStore events;
    private final AgentAccess access;
    private final Clock clock;

    LeaseLists(Database database, Clock clock) {
        this.leases = new LeaseStore(database);
        this.events = new EventStore(database);
        this.access = new AgentAccess(new AgentStore(database));
        this.clock = clock;
    }

    /** {@code GET /api/v1/intents/{intent_id}/leases}: the leases in force, or the leases with the statuses in the query. */
    ApiResponse ofIntent(ApiRequest request) {
        String intentId = request.pathId("intent_id");
        Fields query = request.queryFields();
        Predicate<Lease> asked = askedFor(request.caller(), query, clock.instant());
        Paging paging = Paging.of(request, query);
        query.check();
        return answer(
                paging,
                (after, limit) -> ListPage.ofRead(leases.ofIntent(intentId, after, limit), limit, Lease::id),
                asked);
    }

    /** Returns a filter for the leases that a caller may see and asks for: by default the leases in force. */
    public static Predicate<Lease> askedFor(Caller caller, Fields query, Instant now) {
        Set<LeaseStatus> given = query.anyOf("status", LeaseStatus.class);
        Set<LeaseStatus> statuses = given.isEmpty() ? EnumSet.of(LeaseStatus.ACTIVE) : given;
        return lease ->
                caller.mayActOn(lease.owner(), lease.roleId()) && statuses.contains(LeaseRule.statusAt(lease, now));
    }

    /** {@code GET /api/v1/agents/{agent_id}/leases}: the leases in force, the oldest first. */
    ApiResponse ofAgent(ApiRequest request) {
        Paging paging = Paging.of(request);
        Pulse pulse = access.find(request.caller(), request.pathId("agent_id")).pulse();
        Instant now = clock.instant();
        // Leases of earlier incarnations and of dead agents are refused, even before their clean-up.
        boolean mayHold = LeaseRule.mayHold(pulse.status());
        return answer(
                paging,
                (after, limit) -> ListPage.ofRead(
                        mayHold
                                ? leases.ofAgent(
                                        pulse.agentId(),
                                        incarnation -> incarnation == pulse.incarnation(),
                                        after,
                                        limit)
                                : List.of(),
                        limit,
                        Lease::id),
                lease -> LeaseRule.isInForce(lease, now));
    }

    private ApiResponse answer(Paging paging, Paging.Source<Lease> source, Predicate<Lease> belongs) {
        Instant now = clock.instant();
        return paging.answer("leases", source, Lease::id, belongs, lease -> LeaseJson.of(lease, now));
    }

    /** {@code GET /api/v1/intents/{intent_id}/events}. */
    ApiResponse events(ApiRequest request) {
        String intentId = request.pathId("intent_id");
        Fields query = request.queryFields();
        Paging paging = Paging.of(request, query);
        Instant since = query.timestamp("since").orElse(Instant.EPOCH);
        query.check();
        ObjectNode json = Json.object();
        ListPage<JsonNode> page = events.ofIntent(
                intentId,
                request.caller(),
                new EventStore.Asked(paging.after(), since, paging.limit(), new AnswerItems(json, "events")::add));
        PageToken.putNext(json, request, page.next());
        return ApiResponse.json(200, json);
    }
}
