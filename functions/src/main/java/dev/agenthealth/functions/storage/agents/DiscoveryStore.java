package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.census.FleetRow;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds agents by capability, role, status and free capacity without scanning a table.
 *
 * <p>Monitored agents of a capability or role are found by their discovery tags, those of an owner by the tags of the owner, archived ones
 * and all others by the status indexes. A page ends when it is
 * full or when {@link #MAX_CANDIDATES} candidates were read, which bounds its cost; it may hold fewer agents than the limit, or none, and
 * still be followed by another. Thread-safe.
 */
public final class DiscoveryStore {

    /** Maximum number of candidates that are read for one page. */
    public static final int MAX_CANDIDATES = 1_000;

    private static final int MAX_PER_QUERY = 100;
    private static final int MIN_PER_QUERY = 10;

    private static final String BY_STATUS = "by-status";

    private final Database database;
    private final PulseStore pulses;
    private final AgentStore agents;

    public DiscoveryStore(Database database) {
        this.database = database;
        this.pulses = new PulseStore(database);
        this.agents = new AgentStore(database);
    }

    /**
     * Where a listing continues.
     *
     * @param source number of the source
     * @param agentId the last agent read; empty at the beginning of a source
     */
    public record Cursor(int source, String agentId) {

        /** The beginning of a listing. */
        public static final Cursor START = new Cursor(0, "");

        /** The cursor of a text that {@link #text()} made; {@link #START} for an empty one. */
        public static Cursor ofText(String text) {
            if (text.isEmpty()) {
                return START;
            }
            int colon = text.indexOf(':');
            return new Cursor(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1));
        }

        /** The cursor as a text. */
        public String text() {
            return source + ":" + agentId;
        }
    }

    /**
     * A page of a listing.
     *
     * @param agents without metadata and tasks
     * @param next where the next page begins; empty at the end
     */
    public record Page(List<StoredAgent> agents, Optional<Cursor> next) {}

    /** Up to {@code limit} agents from {@code cursor} on, which must come from a page of the same query. */
    public Page page(DiscoveryQuery query, int limit, Cursor cursor) {
        return page(query, agent -> true, limit, cursor, agent -> true);
    }

    /**
     * The same of the agents that pass a filter, as long as there is room.
     *
     * @param room takes each agent in turn; the page ends before the first one for which there is none
     */
    public Page page(
            DiscoveryQuery query,
            Predicate<StoredAgent> filter,
            int limit,
            Cursor cursor,
            Predicate<StoredAgent> room) {
        List<CandidateSource> sources = sources(query);
        List<StoredAgent> found = new ArrayList<>();
        int itemsRead = 0;
        int atLeast = MIN_PER_QUERY;
        int source = cursor.source();
        String after = cursor.agentId();
        while (source < sources.size()) {
            if (found.size() == limit || itemsRead >= MAX_CANDIDATES) {
                return new Page(found, Optional.of(new Cursor(source, after)));
            }
            int most = Math.min(MAX_PER_QUERY, Math.max(atLeast, limit - found.size()));
            // Where few match, small queries would be many.
            atLeast = Math.min(MAX_PER_QUERY, 2 * atLeast);
            CandidateSource.Candidates candidates = sources.get(source).after(after, most);
            itemsRead += candidates.itemsRead();
            for (StoredAgent agent : matching(query, sources.get(source), candidates)) {
                if (!filter.test(agent)) {
                    continue;
                }
                if (!room.test(agent)) {
                    return new Page(found, Optional.of(new Cursor(source, after)));
                }
                found.add(agent);
                after = agent.pulse().agentId();
                if (found.size() == limit && !isLast(agent, candidates)) {
                    return new Page(found, Optional.of(new Cursor(source, after)));
                }
            }
            after = candidates.more() ? candidates.readUpTo() : "";
            source = candidates.more() ? source : source + 1;
        }
        return new Page(found, Optional.empty());
    }

    /** Up to {@code limit} agents, not archived, that a caller owns, by id, as of now. */
    public List<String> agentsOf(Caller caller, int limit) {
        return DiscoveryTags.ownerPartitions(caller).stream()
                .flatMap(owner ->
                        database.registry().first(limit, Query.partition(owner).consistent()).stream())
                .map(item -> text(item, Attributes.SK))
                .distinct()
                .sorted()
                .limit(limit)
                .toList();
    }

    private static boolean isLast(StoredAgent agent, CandidateSource.Candidates candidates) {
        List<String> ids = candidates.agentIds();
        return agent.pulse().agentId().equals(ids.get(ids.size() - 1));
    }

    private List<StoredAgent> matching(
            DiscoveryQuery query, CandidateSource source, CandidateSource.Candidates candidates) {
        Map<String, FleetRow> found = new HashMap<>();
        candidates.pulses().forEach((id, pulse) -> found.put(id, new FleetRow(pulse, HealthSummary.NONE)));
        if (!source.archived()) {
            pulses.findAll(candidates.agentIds())
                    .forEach(row -> found.put(row.pulse().agentId(), row));
        }
        List<FleetRow> wanted = candidates.agentIds().stream()
                .map(found::get)
                .filter(Objects::nonNull)
                .filter(row -> source.statuses().test(row.pulse().status()) && query.matches(row.pulse()))
                .toList();
        return agents.withProfiles(wanted, source.archived()).stream()
                .filter(agent -> query.matches(agent.profile()))
                .toList();
    }

    private List<CandidateSource> sources(DiscoveryQuery query) {
        List<CandidateSource> sources = new ArrayList<>();
        boolean byTags = !query.capabilities().isEmpty() || !query.roleIds().isEmpty();
        if (query.owner().isPresent()) {
            sources.add(owned(query.owner().get()));
        } else if (query.includesMonitored() && byTags) {
            sources.add(tags(query));
        }
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (!query.statuses().contains(status) || status == LifecycleStatus.REGISTERING) {
                continue;
            }
            if (query.owner().isEmpty() && (status.isGone() || !byTags)) {
                StatusShard.all(status).forEach(shard -> sources.add(rows(status, shard)));
            }
            if (status.isGone()) {
                StatusShard.all(status).forEach(shard -> sources.add(tombstones(status, shard)));
            }
        }
        return sources;
    }

    private CandidateSource tags(DiscoveryQuery query) {
        boolean byRole = query.capabilities().isEmpty();
        ItemKind tag = byRole ? ItemKind.ROLE_TAG : ItemKind.CAPABILITY_TAG;
        List<Query> queries = new TreeSet<>(byRole ? query.roleIds() : query.capabilities())
                .stream().map(name -> Query.partition(tag.partition(name))).toList();
        Set<String> roleIds = query.roleIds();
        return new CandidateSource(
                database.registry(),
                queries,
                Attributes.SK,
                item -> roleIds.isEmpty() || roleIds.contains(text(item, DiscoveryTags.ROLE)),
                // A gone agent keeps its tags until it is archived, but is searched by its status.
                LifecycleStatus::isMonitored,
                false);
    }

    /** The agents of a caller that are not archived. */
    private CandidateSource owned(Caller caller) {
        List<Query> queries = DiscoveryTags.ownerPartitions(caller).stream()
                .map(Query::partition)
                .toList();
        return new CandidateSource(database.registry(), queries, Attributes.SK, item -> true, status -> true, false);
    }

    private CandidateSource rows(LifecycleStatus status, String shard) {
        Query query = Query.index(BY_STATUS, PulseItem.STATUS_SHARD, PulseItem.ID, shard);
        return byStatus(database.pulses(), status, query, PulseItem.ID, false);
    }

    private CandidateSource tombstones(LifecycleStatus status, String shard) {
        Query query = Query.index(
                Attributes.FEED_INDEX, Attributes.FEED_PK, Attributes.FEED_SK, TombstoneItem.feedPartition(shard));
        return byStatus(database.registry(), status, query, Attributes.FEED_SK, true);
    }

    private static CandidateSource byStatus(
            Table table, LifecycleStatus status, Query query, String idName, boolean archived) {
        return new CandidateSource(table, List.of(query), idName, item -> true, status::equals, archived);
    }
}
