package dev.agenthealth.functions.health.catalogue;

import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.BlockedAgents;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.health.catalogue.CatalogueRule;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The agents that are in the catalogue now, the healthiest first. Thread-safe.
 *
 * <p>At most {@link #MAX_AGENTS} are read, in pages. Each page is cached for {@link #MAX_AGE}, so that the cost of searches per second does
 * not grow with the fleet.
 */
final class LiveAgents {

    /** The maximum time for which a catalogue of one page still shows an agent that left it. */
    static final Duration MAX_AGE = Duration.ofSeconds(5);

    /** The maximum number of listed agents that are read, in the order of their ids. */
    static final int MAX_AGENTS = 10_000;

    static final int MAX_PAGE_SIZE = DiscoveryStore.MAX_CANDIDATES;

    private static final Comparator<LiveAgent> HEALTHIEST_FIRST = Comparator.comparing(
                    (LiveAgent live) -> live.facts().verdict())
            .thenComparing(live -> -live.agent().health().hundredths())
            .thenComparing(live -> live.agent().pulse().workload(), Workload.MOST_AVAILABLE_FIRST)
            .thenComparing(live -> live.agent().pulse().agentId());

    private final Database database;
    private final Clock clock;
    private final int pageSize;
    private List<LiveAgent> cached = List.of();
    private Instant cachedUntil = Instant.MIN;

    LiveAgents(Database database, Clock clock, int pageSize) {
        this.database = database;
        this.clock = clock;
        this.pageSize = pageSize;
    }

    /**
     * An agent and the facts behind its verdict.
     *
     * @param server the profile of an MCP server; empty for an agent, whose entry has the address of its card
     */
    record LiveAgent(ListedAgent agent, Facts facts, Optional<AgentProfile> server) {

        boolean isServer() {
            return agent.profile().kind() == AgentKind.MCP_SERVER;
        }

        private LiveAgent with(AgentProfile profile) {
            return isServer() ? new LiveAgent(agent, facts, Optional.of(profile)) : this;
        }
    }

    /** An agent with its whole profile. */
    record KnownAgent(LiveAgent live, AgentProfile profile) {}

    /** Returns all agents as an immutable list. */
    synchronized List<LiveAgent> all() {
        Instant now = clock.instant();
        if (!ClockRule.holds(cachedUntil, MAX_AGE.multipliedBy(1 + MAX_AGENTS / pageSize), now)) {
            BlockedAgents blocked = BlockedAgents.now(database);
            List<LiveAgent> agents = new ArrayList<>();
            ListPage<ListedAgent> page = new ListPage<>(List.of(), "");
            int pages = 0;
            do {
                page = new DiscoveryStore(database)
                        .page(DiscoveryQuery.CATALOGUE, pageSize, Cursor.ofText(page.next()));
                page.items().stream()
                        .map(agent -> new LiveAgent(agent, blocked.facts(agent, now), Optional.empty()))
                        .filter(live -> CatalogueRule.shows(live.facts()))
                        .forEach(agents::add);
                pages++;
            } while (page.hasMore() && pages * pageSize < MAX_AGENTS);
            cached = complete(agents).stream().sorted(HEALTHIEST_FIRST).toList();
            cachedUntil = now.plus(MAX_AGE.multipliedBy(pages));
        }
        return cached;
    }

    /** Reads the profiles of MCP servers, because lists do not have their endpoints. Leaves out servers that were erased meanwhile. */
    private List<LiveAgent> complete(List<LiveAgent> agents) {
        Map<String, AgentProfile> servers = new AgentStore(database)
                .wholeProfiles(agents.stream()
                        .filter(LiveAgent::isServer)
                        .map(live -> live.agent().pulse().agentId())
                        .toList());
        return agents.stream()
                .flatMap(live -> {
                    AgentProfile profile = servers.get(live.agent().pulse().agentId());
                    return live.isServer() ? Optional.ofNullable(profile).map(live::with).stream() : Stream.of(live);
                })
                .toList();
    }

    /** Returns the current state of the agent; empty if it is not in the catalogue. */
    Optional<KnownAgent> find(String agentId) {
        return new AgentStore(database)
                .find(agentId)
                .filter(agent ->
                        !agent.archived() && agent.profile().description().inCatalogue())
                .flatMap(this::live);
    }

    private Optional<KnownAgent> live(StoredAgent stored) {
        Facts facts = BlockedAgents.now(database).facts(stored.listed(), clock.instant());
        return CatalogueRule.shows(facts)
                ? Optional.of(new KnownAgent(
                        new LiveAgent(stored.listed(), facts, Optional.empty()).with(stored.profile()),
                        stored.profile()))
                : Optional.empty();
    }
}
