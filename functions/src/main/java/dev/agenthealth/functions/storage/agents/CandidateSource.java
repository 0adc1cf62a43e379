package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Queries candidates of a listing in the order of their agent ids. A listing reads its sources one after the other. */
sealed interface CandidateSource {

    /** Up to {@code limit} candidates after this agent id, which is empty at the beginning of the source. */
    Candidates after(String agentId, int limit);

    /** Whether agents of this status are searched here: each status belongs to one kind of source, so that no agent is found twice. */
    boolean finds(LifecycleStatus status);

    /** Whether the candidates are archived agents and come with their pulses. */
    boolean archived();

    /**
     * A part of a source.
     *
     * @param agentIds in ascending order
     * @param pulses the pulses of archived agents; those of others are read from their table
     * @param itemsRead how many tags or index entries were read
     * @param readUpTo where the source continues; after the last candidate where some were filtered out
     * @param more whether the source continues
     */
    record Candidates(List<String> agentIds, Map<String, Pulse> pulses, int itemsRead, String readUpTo, boolean more) {}

    /** Monitored agents by discovery tags: the merged partitions of several capabilities or roles. */
    record ByTags(Table registry, List<String> partitions, DiscoveryQuery query) implements CandidateSource {

        /** The minimum number of tags read of each of several partitions; fewer are not worth a request. */
        private static final int MIN_EACH = 10;

        @Override
        public boolean finds(LifecycleStatus status) {
            // A gone agent keeps its tags until it is archived, but is searched by its status.
            return status.isMonitored();
        }

        @Override
        public boolean archived() {
            return false;
        }

        @Override
        public Candidates after(String agentId, int limit) {
            int each = Math.min(limit, Math.max(MIN_EACH, limit / partitions.size()));
            TreeSet<String> merged = new TreeSet<>();
            String safe = "";
            boolean more = false;
            int itemsRead = 0;
            for (String partition : partitions) {
                Page page = registry.page(Query.partition(partition).after(agentId), each, Map.of());
                itemsRead += page.items().size();
                String last = "";
                for (Map<String, AttributeValue> tag : page.items()) {
                    last = text(tag, Attributes.SK);
                    if (isOfRole(text(tag, DiscoveryTags.ROLE))) {
                        merged.add(last);
                    }
                }
                if (page.hasMore()) {
                    // Beyond the last id of a partition that continues, another of its ids could come first.
                    safe = !more || last.compareTo(safe) < 0 ? last : safe;
                    more = true;
                }
            }
            List<String> ids = new ArrayList<>();
            for (String id : more ? merged.headSet(safe, true) : merged) {
                if (ids.size() == limit) {
                    return new Candidates(ids, Map.of(), itemsRead, ids.get(limit - 1), true);
                }
                ids.add(id);
            }
            return new Candidates(ids, Map.of(), itemsRead, safe, more);
        }

        private boolean isOfRole(String roleId) {
            return query.roleIds().isEmpty() || query.roleIds().contains(roleId);
        }
    }

    /**
     * Agents of one status by one partition of an index.
     *
     * @param idName the attribute that holds the agent's id
     */
    record ByStatus(Table table, LifecycleStatus status, Query partition, String idName, boolean archived)
            implements CandidateSource {

        @Override
        public boolean finds(LifecycleStatus found) {
            return found == status;
        }

        @Override
        public Candidates after(String agentId, int limit) {
            Page page = table.page(partition.after(agentId), limit, Map.of());
            List<String> ids = new ArrayList<>();
            Map<String, Pulse> pulses = new HashMap<>();
            for (Map<String, AttributeValue> item : page.items()) {
                String id = text(item, idName);
                ids.add(id);
                if (archived) {
                    pulses.put(id, TombstoneItem.read(id, item));
                }
            }
            return new Candidates(
                    ids, pulses, ids.size(), ids.isEmpty() ? agentId : ids.get(ids.size() - 1), page.hasMore());
        }
    }
}
