package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

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
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Candidates of a listing in the order of their agent ids: the merged items of queries. A listing reads its sources one after the other.
 *
 * @param queries partitions that are sorted by agent id
 * @param idName the attribute that holds the agent's id
 * @param filter which items are candidates
 * @param statuses which agents are searched here: each status belongs to one kind of source, so that no agent is found twice
 * @param archived whether the items are tombstones
 */
record CandidateSource(
        Table table,
        List<Query> queries,
        String idName,
        Predicate<Map<String, AttributeValue>> filter,
        Predicate<LifecycleStatus> statuses,
        boolean archived) {

    /** The minimum number of items read of each of several partitions; fewer are not worth a request. */
    private static final int MIN_EACH = 10;

    /**
     * A part of a source.
     *
     * @param agentIds in ascending order
     * @param pulses the pulses of archived agents; those of others are read from their table
     * @param itemsRead how many items were read
     * @param readUpTo where the source continues; after the last candidate where some were filtered out
     * @param more whether the source continues
     */
    record Candidates(List<String> agentIds, Map<String, Pulse> pulses, int itemsRead, String readUpTo, boolean more) {}

    /** Up to {@code limit} candidates after this agent id, which is empty at the beginning of the source. */
    Candidates after(String agentId, int limit) {
        int each = Math.min(limit, Math.max(MIN_EACH, limit / queries.size()));
        TreeSet<String> merged = new TreeSet<>();
        Map<String, Pulse> pulses = new HashMap<>();
        String safe = "";
        boolean more = false;
        int itemsRead = 0;
        for (Query query : queries) {
            Page page = table.page(query.after(agentId), each, Map.of());
            itemsRead += page.items().size();
            String last = agentId;
            for (Map<String, AttributeValue> item : page.items()) {
                last = text(item, idName);
                if (filter.test(item)) {
                    merged.add(last);
                }
                if (archived) {
                    pulses.put(last, TombstoneItem.read(last, item));
                }
            }
            if (page.hasMore()) {
                // Beyond the last id of a partition that continues, another of its ids could come first.
                safe = !more || last.compareTo(safe) < 0 ? last : safe;
                more = true;
            }
        }
        List<String> ids = new ArrayList<>(more ? merged.headSet(safe, true) : merged);
        return ids.size() > limit
                ? new Candidates(ids.subList(0, limit), pulses, itemsRead, ids.get(limit - 1), true)
                : new Candidates(ids, pulses, itemsRead, safe, more);
    }
}
