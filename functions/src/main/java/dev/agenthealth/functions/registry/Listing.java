package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.BlockedAgents;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;

/** Discovery of agents (RFC-0016 §6). Thread-safe. */
public final class Listing {

    private static final Comparator<ListedAgent> MOST_AVAILABLE_FIRST = Comparator.comparing(
                    (ListedAgent agent) -> agent.pulse().workload(), Workload.MOST_AVAILABLE_FIRST)
            .thenComparing(agent -> agent.pulse().agentId());

    private final DiscoveryStore discovery;
    private final Database database;
    private final Clock clock;

    public Listing(Database database, Clock clock) {
        this.discovery = new DiscoveryStore(database);
        this.database = database;
        this.clock = clock;
    }

    /**
     * The end of a page.
     *
     * @param total the number of matching agents; empty if the list has several pages
     * @param next the start of the next page; empty at the end of the list
     */
    public record End(OptionalInt total, String next) {}

    /**
     * Reads a page of the agents that match the query. A caller with some roles gets agents of these roles; an agent's key gets its own
     * agents.
     *
     * @param rows takes the row of each agent; {@code false} ends the page before the agent
     * @throws ApiError 400 if too many agents would have to be sorted
     */
    public End page(Caller caller, ListQuery query, int limit, Cursor cursor, Predicate<ObjectNode> rows) {
        DiscoveryQuery allowed = query.agents().within(caller);
        if (!caller.roleIds().isEmpty() && allowed.roleIds().isEmpty()) {
            return new End(OptionalInt.of(0), "");
        }
        BlockedAgents blocked = BlockedAgents.now(database);
        Function<ListedAgent, Facts> facts = agent -> blocked.facts(agent, clock.instant());
        Predicate<ListedAgent> matches = agent -> query.filters().pass(agent, facts.apply(agent));
        Predicate<ListedAgent> taken = agent -> rows.test(AgentRecordJson.row(agent, facts.apply(agent)));
        if (query.byCapacity()) {
            List<ListedAgent> all = all(allowed, matches);
            all.stream().sorted(MOST_AVAILABLE_FIRST).limit(limit).allMatch(taken);
            return new End(OptionalInt.of(all.size()), "");
        }
        ListPage<ListedAgent> page = discovery.page(allowed, matches, limit, cursor, taken);
        boolean whole = cursor.equals(Cursor.START) && !page.hasMore();
        return new End(whole ? OptionalInt.of(page.items().size()) : OptionalInt.empty(), page.next());
    }

    private List<ListedAgent> all(DiscoveryQuery query, Predicate<ListedAgent> filter) {
        ListPage<ListedAgent> all = discovery.allTagged(query, filter);
        if (all.hasMore()) {
            throw ApiError.invalid(List.of(new FieldError(
                    "sort",
                    "needs a query of at most " + DiscoveryStore.MAX_CANDIDATES
                            + " candidates; name a smaller role, a rarer capability or fewer statuses")));
        }
        return all.items();
    }
}
