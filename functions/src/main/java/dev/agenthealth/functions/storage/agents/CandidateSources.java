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
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Chooses the sources in which a query searches for agents. Monitored agents are searched in the sequence of all rows. If few rows would
 * match, they are searched by discovery tags, by an owner's tags or by the index of statuses. Gone agents are always searched by their
 * status. Thread-safe.
 */
final class CandidateSources {

    private static final String BY_STATUS = "by-status";

    private final Database database;

    CandidateSources(Database database) {
        this.database = database;
    }

    /**
     * Returns the sources of a query, in the order in which they are read.
     *
     * @param inSequence whether monitored agents are read in the sequence of all rows
     */
    List<CandidateSource> of(DiscoveryQuery query, boolean inSequence) {
        if (query.ofCatalogue()) {
            return List.of(tagged(List.of(Query.partition(ItemKind.CATALOGUE_TAG.partition())), item -> true));
        }
        List<CandidateSource> sources = new ArrayList<>();
        boolean byTags = query.isByTags();
        if (query.owner().isPresent()) {
            sources.add(owned(query.owner().get()));
        } else if (inSequence) {
            sources.add(rows());
        } else if (query.includesMonitored() && byTags) {
            sources.add(tags(query));
        }
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (!query.statuses().contains(status) || status == LifecycleStatus.REGISTERING) {
                continue;
            }
            if (query.owner().isEmpty() && (status.hasEnded() || !byTags && !inSequence)) {
                StatusShard.all(status).forEach(shard -> sources.add(rows(status, shard)));
            }
            if (status.hasEnded() && query.archived()) {
                StatusShard.all(status).forEach(shard -> sources.add(tombstones(status, shard)));
            }
        }
        return sources;
    }

    /** Returns the source of all monitored agents. */
    CandidateSource rows() {
        return new RowSource(new PulseStore(database));
    }

    private CandidateSource tags(DiscoveryQuery query) {
        boolean byRole = query.capabilities().tags().isEmpty();
        ItemKind tag = byRole ? ItemKind.ROLE_TAG : ItemKind.CAPABILITY_TAG;
        // An agent with all of the capabilities has a tag for each of them, so one capability is enough.
        long tags = query.capabilities().all() && !byRole ? 1 : Long.MAX_VALUE;
        List<Query> queries = new TreeSet<>(
                        byRole ? query.roleIds() : query.capabilities().tags())
                .stream()
                        .limit(tags)
                        .map(name -> Query.partition(tag.partition(name)))
                        .toList();
        Set<String> roleIds = query.roleIds();
        return tagged(queries, item -> roleIds.isEmpty() || roleIds.contains(text(item, DiscoveryTags.ROLE)));
    }

    private CandidateSource tagged(List<Query> queries, Predicate<Map<String, AttributeValue>> filter) {
        return new IndexSource(
                database.registry(),
                queries,
                Attributes.SK,
                filter,
                // A gone agent keeps its tags until it is archived, but is searched by its status.
                LifecycleStatus::isMonitored,
                false);
    }

    /** Returns the source of a caller's agents that are not archived. */
    private CandidateSource owned(Caller caller) {
        return new IndexSource(
                database.registry(),
                List.of(DiscoveryTags.ownedBy(caller)),
                Attributes.SK,
                item -> true,
                status -> true,
                false);
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
        return new IndexSource(table, List.of(query), idName, item -> true, status::equals, archived);
    }
}
