package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A query for agents (RFC-0016 §6.2).
 *
 * @param agents the filters by declarations, status and capacity
 * @param filters the filters that no index supports
 * @param byCapacity whether the agents with the most available capacity come first
 */
public record ListQuery(DiscoveryQuery agents, ListFilters filters, boolean byCapacity) {

    /** All active agents. */
    public static final ListQuery ACTIVE = new ListQuery(
            DiscoveryQuery.ofStatuses(Set.of(LifecycleStatus.ACTIVE)),
            new ListFilters(Set.of(), Set.of(), Set.of(), ListFilters.Flags.NONE, false),
            false);

    private static final Set<LifecycleStatus> ALL = EnumSet.complementOf(EnumSet.of(LifecycleStatus.REGISTERING));

    /** The statuses that a filter by verdict or declaration reads: a dead agent is down, a deregistered agent is gone. */
    private static final Set<LifecycleStatus> WITH_VERDICT =
            EnumSet.complementOf(EnumSet.of(LifecycleStatus.REGISTERING, LifecycleStatus.DEREGISTERED));

    /** Returns the query of a request. Records an error for each bad parameter. */
    public static ListQuery of(Fields fields) {
        return of(
                fields,
                ListFilters.of(fields),
                fields.oneOf("sort", "available_capacity").isPresent(),
                "sort");
    }

    /**
     * Returns the query in fields whose filters and order have another format.
     *
     * @param order the name of the field for the order by capacity
     */
    public static ListQuery of(Fields fields, ListFilters filters, boolean byCapacity, String order) {
        String roleId = fields.id("role_id");
        Set<LifecycleStatus> statuses = fields.anyOf("status", LifecycleStatus.class);
        if (statuses.isEmpty()) {
            statuses = defaultStatuses(filters);
        }
        if (byCapacity && !fields.has("role_id") && !fields.has("capabilities")) {
            fields.refuse(order, "needs a role_id or capabilities");
        }
        if (byCapacity && fields.has("next_token")) {
            fields.refuse(order, "has no further pages; raise the limit");
        }
        DiscoveryQuery agents = new DiscoveryQuery(
                statuses,
                new DiscoveryQuery.Capabilities(
                        capabilities(fields),
                        fields.oneOf("capabilities_match", "all", "any")
                                .filter("all"::equals)
                                .isPresent()),
                roleId.isEmpty() ? Set.of() : Set.of(roleId),
                Optional.empty(),
                fields.integer("min_available_capacity", -Workload.MAX_TASKS, Workload.MAX_TASKS),
                false,
                filters.verdicts().isEmpty() || filters.verdicts().contains(Verdict.GONE));
        return new ListQuery(agents, filters, byCapacity);
    }

    private static Set<LifecycleStatus> defaultStatuses(ListFilters filters) {
        if (filters.verdicts().contains(Verdict.GONE)) {
            return ALL;
        }
        return filters.verdicts().isEmpty() && !filters.changed() ? Set.of(LifecycleStatus.ACTIVE) : WITH_VERDICT;
    }

    private static List<String> capabilities(Fields fields) {
        return DeclaredFields.capabilities(fields);
    }
}
