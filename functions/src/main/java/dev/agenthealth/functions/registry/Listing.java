package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.AnswerItems;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.PageToken;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.trust.BlockedAgents;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.profile.AgentInterface;
import dev.agenthealth.model.profile.CapabilityTag;
import java.time.Clock;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Discovery: {@code GET /api/v1/agents} (RFC-0016 §6). Thread-safe. */
final class Listing {

    private static final String ALL = "all";
    private static final String ANY = "any";

    /** The statuses that a filter by verdict looks at: a dead agent is down, a deregistered one is no longer there. */
    private static final Set<LifecycleStatus> WITH_VERDICT =
            EnumSet.complementOf(EnumSet.of(LifecycleStatus.REGISTERING, LifecycleStatus.DEREGISTERED));

    private static final String BY_CAPACITY = "available_capacity";

    private static final Comparator<ListedAgent> MOST_AVAILABLE_FIRST = Comparator.comparing(
                    (ListedAgent agent) -> agent.pulse().workload(), Workload.MOST_AVAILABLE_FIRST)
            .thenComparing(agent -> agent.pulse().agentId());

    private final DiscoveryStore discovery;
    private final Database database;
    private final Clock clock;

    Listing(Database database, Clock clock) {
        this.discovery = new DiscoveryStore(database);
        this.database = database;
        this.clock = clock;
    }

    /**
     * A page of the agents that match the query: of those of the caller's roles, and for an agent's key of those that it owns.
     *
     * @throws Problem 400 naming every bad parameter
     */
    ApiResponse page(ApiRequest request) {
        Caller caller = request.caller();
        Fields fields = request.queryFields();
        String role = fields.id("role_id");
        ListFilters filters = ListFilters.of(fields);
        DiscoveryQuery query = new DiscoveryQuery(
                statuses(fields, filters),
                capabilities(fields),
                isOfAllCapabilities(fields),
                role.isEmpty() ? Set.of() : Set.of(role),
                Optional.empty(),
                fields.integer("min_available_capacity", -Workload.MAX_TASKS, Workload.MAX_TASKS),
                false);
        int limit = PageToken.limit(fields);
        Cursor cursor = Cursor.ofText(PageToken.position(request, fields));
        boolean byCapacity = isByCapacity(fields);
        fields.check();
        ObjectNode json = Json.object();
        AnswerItems agents = new AnswerItems(json, "agents");
        DiscoveryQuery allowed = query.within(caller);
        if (!caller.roleIds().isEmpty() && allowed.roleIds().isEmpty()) {
            json.put("total", 0);
            return ApiResponse.json(200, json);
        }
        BlockedAgents blocked = BlockedAgents.now(database);
        Function<ListedAgent, Facts> facts = agent -> blocked.facts(agent, clock.instant());
        if (byCapacity) {
            putMostAvailable(json, agents, allowed, agent -> filters.pass(facts.apply(agent)), limit, facts);
            return ApiResponse.json(200, json);
        }
        DiscoveryStore.Page page = discovery.page(
                allowed,
                agent -> filters.pass(facts.apply(agent)),
                limit,
                cursor,
                agent -> agents.add(AgentRecordJson.row(agent, facts.apply(agent))));
        if (cursor.equals(Cursor.START) && page.next().isEmpty()) {
            json.put("total", agents.size());
        }
        page.next().ifPresent(next -> json.put("next_token", PageToken.of(request, next.text())));
        return ApiResponse.json(200, json);
    }

    /** Puts the agents with the most available capacity; the answer is complete in one page. */
    private void putMostAvailable(
            ObjectNode json,
            AnswerItems agents,
            DiscoveryQuery query,
            Predicate<ListedAgent> filter,
            int limit,
            Function<ListedAgent, Facts> facts) {
        DiscoveryStore.Page all = discovery.allTagged(query, filter);
        if (all.next().isPresent()) {
            throw Problem.invalid(List.of(new FieldError(
                    "sort",
                    "needs a query of at most " + DiscoveryStore.MAX_CANDIDATES
                            + " candidates; name a smaller role, a rarer capability or fewer statuses")));
        }
        agents.addAll(all.agents().stream()
                .sorted(MOST_AVAILABLE_FIRST)
                .limit(limit)
                .map(agent -> AgentRecordJson.row(agent, facts.apply(agent))));
        json.put("total", all.agents().size());
    }

    private static boolean isByCapacity(Fields fields) {
        boolean sorted = fields.oneOf("sort", new String[] {BY_CAPACITY}, Function.identity())
                .isPresent();
        if (sorted && !fields.has("role_id") && !fields.has("capabilities")) {
            fields.refuse("sort", "needs a role_id or capabilities");
        }
        if (sorted && fields.has("next_token")) {
            fields.refuse("sort", "has no further pages; raise the limit");
        }
        return sorted;
    }

    private static boolean isOfAllCapabilities(Fields fields) {
        return fields.oneOf("capabilities_match", new String[] {ALL, ANY}, Function.identity())
                .filter(ALL::equals)
                .isPresent();
    }

    private static Set<LifecycleStatus> statuses(Fields fields, ListFilters filters) {
        Set<LifecycleStatus> statuses = EnumSet.noneOf(LifecycleStatus.class);
        for (String word : fields.words("status")) {
            LifecycleStatus.ofWireName(word)
                    .ifPresentOrElse(
                            statuses::add, () -> fields.refuse("status", "'" + word + "' is not a lifecycle status"));
        }
        if (!statuses.isEmpty()) {
            return statuses;
        }
        return filters.verdicts().isEmpty() ? Set.of(LifecycleStatus.ACTIVE) : WITH_VERDICT;
    }

    private static List<String> capabilities(Fields fields) {
        List<String> capabilities = fields.words("capabilities");
        if (capabilities.size() > AgentInterface.MAX_CAPABILITIES) {
            fields.refuse("capabilities", "may have at most " + AgentInterface.MAX_CAPABILITIES + " tags");
        }
        if (capabilities.stream().anyMatch(tag -> tag.codePointCount(0, tag.length()) > CapabilityTag.MAX_LENGTH)) {
            fields.refuse("capabilities", "must be tags of at most " + CapabilityTag.MAX_LENGTH + " characters");
        }
        return capabilities;
    }
}
