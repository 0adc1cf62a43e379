package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.registry.AgentRecordJson;
import dev.agenthealth.functions.runtime.http.AnswerItems;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.BlockedAgents;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.GroupNumber;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Pools: the agents of a role and their total capacity (RFC-0016 §7). Thread-safe.
 *
 * <p>The statistics of a pool count up to {@link #MAX_MEMBERS} members. A pool with more members is marked as {@code truncated}.
 */
final class Pools {

    /** The maximum number of members counted per response. */
    static final int MAX_MEMBERS = 10_000;

    /** The maximum number of roles and members that a page of pools reads, if the sweep has counted them. */
    static final int MAX_READ = 100;

    /** The maximum age of the sweep's statistics, 3 min. */
    static final Duration MAX_AGE = Duration.ofMinutes(3);

    private static final int MAX_SHOWN = 1_000;

    private final PoolStore pools;
    private final GroupStore groups;
    private final WorkflowStore workflows;
    private final StatisticsStore statistics;
    private final Database database;
    private final Clock clock;

    Pools(Database database, Clock clock) {
        this.pools = new PoolStore(database);
        this.groups = new GroupStore(database);
        this.workflows = new WorkflowStore(database);
        this.statistics = new StatisticsStore(database);
        this.database = database;
        this.clock = clock;
    }

    /**
     * {@code GET /api/v1/pools/{role_id}}. The statistics cover all members, and the members are paged.
     *
     * @throws ApiError 403 for a coordinator of other roles; 404 for a role that has no members and is not declared
     */
    ApiResponse get(ApiRequest request) {
        String roleId = request.pathId("role_id");
        Caller caller = request.caller();
        if (!caller.maySeeRole(roleId)) {
            throw ApiError.forbidden("This key may not read the pool of role '" + roleId + "'.");
        }
        Fields query = request.queryFields();
        int limit = query.integer("limit", 1, MAX_SHOWN).orElse(MAX_SHOWN);
        String after = PageToken.position(request, query);
        query.check();
        GroupStore.Role role = groups.role(roleId);
        SortedMap<String, PulseRow> members = pools.members(roleId, MAX_MEMBERS);
        if (members.isEmpty() && !role.declared()) {
            throw ApiError.notFound(
                    "pool_not_found", "No agent has the role '" + roleId + "', and no workflow declares it.");
        }
        ObjectNode json = Json.object();
        json.put("role_id", roleId);
        // The id with "\0" appended is the next possible id in order.
        SortedMap<String, PulseRow> rest = after.isEmpty() ? members : members.tailMap(after + "\0");
        List<PulseRow> shown = rest.values().stream().limit(limit).toList();
        String last = putMembers(json, shown);
        read(members).put(json, role);
        PageToken.putNext(json, request, last.isEmpty() || last.equals(members.lastKey()) ? "" : last);
        return ApiResponse.json(200, json);
    }

    /** Puts as many members as fit into a response. Returns the id of the last examined member; empty if there is none. */
    private String putMembers(ObjectNode json, List<PulseRow> shown) {
        AnswerItems items = new AnswerItems(json, "members");
        String last = "";
        BlockedAgents blocked = BlockedAgents.now(database);
        for (ListedAgent agent : pools.listed(shown)) {
            if (!items.add(AgentRecordJson.row(agent, blocked.facts(agent, clock.instant())))) {
                return last;
            }
            last = agent.pulse().agentId();
        }
        return shown.isEmpty() ? "" : shown.get(shown.size() - 1).pulse().agentId();
    }

    /**
     * {@code GET /api/v1/pools}: pools without their members.
     *
     * <p>A page reads up to {@link #MAX_READ} roles and members. If there are more, it shows pools as the sweep last counted them. It reads
     * pools that the sweep did not count, and ends after {@link #MAX_MEMBERS} members.
     */
    ApiResponse page(ApiRequest request) {
        Paging paging = Paging.of(request);
        return paging.answer(
                "pools",
                (after, limit) -> read(candidates(request.caller(), after, limit), after, limit),
                RolePool::roleId,
                RolePool::isShown,
                RolePool::json);
    }

    /** The pool of a role. */
    private record RolePool(String roleId, PoolStatistics pool, GroupStore.Role role) {

        /** Returns whether the role has members or is declared. The name of a role stays for a time after its last member. */
        boolean isShown() {
            return !pool.isEmpty() || role.declared();
        }

        ObjectNode json() {
            ObjectNode json = Json.object().put("role_id", roleId);
            pool.put(json, role);
            return json;
        }
    }

    /** Reads the pools of these roles, up to the first role with too many members for this page. */
    private ListPage<RolePool> read(List<String> candidates, String after, int limit) {
        Map<String, PoolStatistics> counted = counted(candidates);
        Map<String, TreeMap<String, PulseRow>> members = pools.members(
                candidates.stream().filter(role -> !counted.containsKey(role)).toList(), MAX_MEMBERS);
        Set<String> declared = workflows.declaredRoles();
        Map<String, GroupStore.Role> roles = groups.declarations(
                candidates.stream().filter(declared::contains).toList());
        List<RolePool> read = candidates.stream()
                .takeWhile(roleId -> counted.containsKey(roleId) || members.containsKey(roleId))
                .map(roleId -> new RolePool(
                        roleId,
                        counted.containsKey(roleId) ? counted.get(roleId) : read(members.get(roleId)),
                        roles.getOrDefault(roleId, GroupStore.Role.NONE)))
                .toList();
        boolean more = read.size() < candidates.size() || candidates.size() >= limit;
        return new ListPage<>(
                read,
                !more ? "" : read.isEmpty() ? after : read.get(read.size() - 1).roleId());
    }

    /**
     * Returns the statistics of these roles that the sweep counted at most {@link #MAX_AGE} ago; empty if it is cheap to read the members.
     * Roles without members are left out.
     */
    private Map<String, PoolStatistics> counted(List<String> roleIds) {
        Map<String, PoolStatistics> counted = new HashMap<>();
        Instant oldest = clock.instant().minus(MAX_AGE);
        Optional<StatisticsStore.Snapshot> taken =
                statistics.latest().filter(statistics -> !statistics.asOf().isBefore(oldest));
        if (taken.isPresent()) {
            GroupStatistics roles = taken.get().statistics().of(GroupKind.ROLE);
            for (String roleId : roleIds) {
                AgentStatistics role = roles.of(GroupNumber.of(roleId));
                role.pool()
                        .ifPresent(pool -> counted.put(
                                roleId,
                                new PoolStatistics(
                                        pool,
                                        role.get(Statistic.STALLED),
                                        role.get(Statistic.LOOPING),
                                        taken.get().asOf(),
                                        false)));
            }
        }
        long members =
                counted.values().stream().mapToLong(PoolStatistics::members).sum();
        return roleIds.size() + members > MAX_READ ? counted : Map.of();
    }

    /** Returns the next roles. A coordinator with some roles gets only these roles. */
    private List<String> candidates(Caller caller, String after, int limit) {
        if (caller.roleIds().isEmpty()) {
            return groups.names(GroupKind.ROLE, after, limit);
        }
        return new TreeSet<>(caller.roleIds())
                .tailSet(after, false).stream().limit(limit).toList();
    }

    private PoolStatistics read(SortedMap<String, PulseRow> members) {
        return PoolStatistics.of(
                members.values().stream().map(PulseRow::pulse).toList(),
                clock.instant(),
                members.size() == MAX_MEMBERS);
    }
}
