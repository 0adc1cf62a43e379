package dev.agenthealth.functions.catalogue;

import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.trust.BlockedAgents;
import dev.agenthealth.model.catalogue.CatalogueRule;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The agents that stand in the catalogue now, in portions in the order of their ids. A portion has at most {@link #MAX_PORTION} listed agents. It
 * is cached, so that searches cost no more than one reading of it in that time. Thread-safe.
 */
final class LiveAgents {

    /** For how long an agent may still be shown that no longer belongs into the catalogue. */
    static final Duration MAX_AGE = Duration.ofSeconds(5);

    static final int MAX_PORTION = DiscoveryStore.MAX_CANDIDATES;

    private static final int MAX_PORTIONS = 8;

    private static final Comparator<LiveAgent> HEALTHIEST_FIRST = Comparator.comparing(
                    (LiveAgent live) -> live.facts().verdict())
            .thenComparing(live -> -live.agent().health().hundredths())
            .thenComparing(live -> live.agent().pulse().workload(), Workload.MOST_AVAILABLE_FIRST)
            .thenComparing(live -> live.agent().pulse().agentId());

    private final Stores stores;
    private final Clock clock;
    private final int portionSize;
    private final Map<Cursor, Cached> cache = new LinkedHashMap<>();

    LiveAgents(Stores stores, Clock clock, int portionSize) {
        this.stores = stores;
        this.clock = clock;
        this.portionSize = portionSize;
    }

    /** An agent and what its verdict is made of. */
    record LiveAgent(ListedAgent agent, Facts facts) {}

    /** An agent with its whole profile. */
    record KnownAgent(LiveAgent live, AgentProfile profile) {}

    /**
     * A portion of the catalogue.
     *
     * @param agents the healthiest first
     * @param next where the next portion begins; empty at the end
     */
    record Portion(List<LiveAgent> agents, Optional<Cursor> next) {}

    private record Cached(Portion portion, Instant until) {}

    /** The portion that begins at a cursor, at most {@link #MAX_AGE} old. */
    synchronized Portion from(Cursor cursor) {
        Instant now = clock.instant();
        cache.values().removeIf(cached -> !now.isBefore(cached.until()));
        Cached known = cache.get(cursor);
        if (known != null) {
            return known.portion();
        }
        Portion portion = read(cursor, now);
        if (cache.size() < MAX_PORTIONS) {
            cache.put(cursor, new Cached(portion, now.plus(MAX_AGE)));
        }
        return portion;
    }

    /** The agent with this id as of now; empty where it does not stand in the catalogue. */
    Optional<KnownAgent> find(String agentId) {
        return stores.agents()
                .find(agentId)
                .filter(agent ->
                        !agent.archived() && agent.profile().description().inCatalogue())
                .flatMap(this::live);
    }

    private Optional<KnownAgent> live(StoredAgent stored) {
        Facts facts = BlockedAgents.now(stores).facts(stored.listed(), clock.instant());
        return CatalogueRule.shows(facts)
                ? Optional.of(new KnownAgent(new LiveAgent(stored.listed(), facts), stored.profile()))
                : Optional.empty();
    }

    private Portion read(Cursor cursor, Instant now) {
        BlockedAgents blocked = BlockedAgents.now(stores);
        DiscoveryStore.Page page = stores.discovery().page(DiscoveryQuery.CATALOGUE, portionSize, cursor);
        List<LiveAgent> agents = page.agents().stream()
                .map(agent -> new LiveAgent(agent, blocked.facts(agent, now)))
                .filter(live -> CatalogueRule.shows(live.facts()))
                .sorted(HEALTHIEST_FIRST)
                .toList();
        return new Portion(agents, page.next());
    }
}
