package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.DiscoveryQuery;
import dev.agenthealth.functions.storage.DiscoveryStore;
import dev.agenthealth.functions.storage.DiscoveryStore.Cursor;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Discovery: {@code GET /api/v1/agents} (RFC-0016 §6). Thread-safe. */
final class Listing {

    /** How many agents a page holds where nobody says. */
    static final int DEFAULT_LIMIT = 100;

    /** How many agents a page holds at most. */
    static final int MAX_LIMIT = 1_000;

    private final DiscoveryStore discovery;

    Listing(DiscoveryStore discovery) {
        this.discovery = discovery;
    }

    /**
     * A page of the agents asked for.
     *
     * @throws Problem 400 naming every bad parameter, 403 for callers who may not list agents
     */
    ObjectNode page(Caller caller, ApiRequest request) {
        if (!caller.mayListAgents()) {
            throw Problem.forbidden("Only coordinators and administrators may list agents.");
        }
        List<FieldError> errors = new ArrayList<>();
        DiscoveryQuery query = new DiscoveryQuery(
                statuses(request, errors),
                capabilities(request, errors),
                roles(request, errors),
                number(request, errors, "min_available_capacity", 0, 1_000_000, DiscoveryQuery.ANY_CAPACITY));
        int limit = number(request, errors, "limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        ObjectNode json = Json.object();
        ArrayNode agents = json.putArray("agents");
        DiscoveryQuery allowed = within(caller, query);
        if (!caller.roleIds().isEmpty() && allowed.roleIds().isEmpty()) {
            json.put("total", 0);
            return json;
        }
        DiscoveryStore.Page page = discovery.page(allowed, limit, cursor(request));
        page.agents().forEach(agent -> agents.add(AgentRecordJson.item(agent)));
        json.put("total", agents.size());
        page.next().ifPresent(next -> json.put("next_token", PageToken.of(next.leg() + ":" + next.agentId())));
        return json;
    }

    /** A coordinator of some roles sees these only. */
    private static DiscoveryQuery within(Caller caller, DiscoveryQuery query) {
        if (caller.roleIds().isEmpty()) {
            return query;
        }
        Set<String> roles = query.roleIds().isEmpty()
                ? caller.roleIds()
                : Set.copyOf(query.roleIds().stream()
                        .filter(caller.roleIds()::contains)
                        .toList());
        return new DiscoveryQuery(query.statuses(), query.capabilities(), roles, query.minAvailableCapacity());
    }

    private static Set<LifecycleStatus> statuses(ApiRequest request, List<FieldError> errors) {
        Set<LifecycleStatus> statuses = EnumSet.noneOf(LifecycleStatus.class);
        for (String word : words(request, "status")) {
            LifecycleStatus.ofWord(word)
                    .ifPresentOrElse(
                            statuses::add,
                            () -> errors.add(new FieldError("status", "'" + word + "' is not a lifecycle status")));
        }
        return statuses.isEmpty() ? EnumSet.of(LifecycleStatus.ACTIVE) : statuses;
    }

    private static List<String> capabilities(ApiRequest request, List<FieldError> errors) {
        List<String> capabilities = words(request, "capabilities");
        if (capabilities.size() > AgentProfile.MAX_CAPABILITIES) {
            errors.add(new FieldError("capabilities", "may have at most " + AgentProfile.MAX_CAPABILITIES + " tags"));
        }
        return capabilities;
    }

    private static Set<String> roles(ApiRequest request, List<FieldError> errors) {
        String role = request.query("role_id");
        if (role.isEmpty()) {
            return Set.of();
        }
        if (!Ids.isValid(role)) {
            errors.add(new FieldError("role_id", Ids.RULE));
        }
        return Set.of(role);
    }

    private static int number(
            ApiRequest request, List<FieldError> errors, String name, int minimum, int maximum, int otherwise) {
        try {
            return request.queryInt(name, minimum, maximum).orElse(otherwise);
        } catch (Problem problem) {
            errors.addAll(problem.errors());
            return otherwise;
        }
    }

    private static List<String> words(ApiRequest request, String name) {
        return Arrays.stream(request.query(name).split(","))
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
    }

    private static Cursor cursor(ApiRequest request) {
        String position = PageToken.position(request);
        if (position.isEmpty()) {
            return Cursor.START;
        }
        int colon = position.indexOf(':');
        String leg = colon < 0 ? "" : position.substring(0, colon);
        String agentId = position.substring(colon + 1);
        if (!leg.matches("\\d{1,3}") || !(agentId.isEmpty() || Ids.isValid(agentId))) {
            throw PageToken.invalid();
        }
        return new Cursor(Integer.parseInt(leg), agentId);
    }
}
