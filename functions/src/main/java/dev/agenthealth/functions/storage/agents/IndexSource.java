package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Candidates in the order of their agent ids: the merged items of queries.
 *
 * @param queries partitions that are sorted by agent id
 * @param idName the attribute that holds the agent's id
 * @param filter selects the items that are candidates
 * @param statuses selects the statuses that this source searches
 * @param archived whether the items are tombstones
 */
record IndexSource(
        Table table,
        List<Query> queries,
        String idName,
        Predicate<Map<String, AttributeValue>> filter,
        Predicate<LifecycleStatus> statuses,
        boolean archived)
        implements CandidateSource {

    /** The minimum number of items read from each of several partitions; fewer items are not worth a request. */
    private static final int MIN_EACH = 10;

    private static final int MAX_PER_QUERY = 100;

    @Override
    public Candidates after(String agentId, int limit) {
        int each = Math.min(limit, Math.max(MIN_EACH, limit / queries.size()));
        TreeSet<String> merged = new TreeSet<>();
        Map<String, PulseRow> rows = new HashMap<>();
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
                    rows.put(last, new PulseRow(TombstoneItem.read(last, item), HealthSummary.NONE, Optional.empty()));
                }
            }
            if (page.hasMore()) {
                // If a partition continues, its next id could come before ids of other partitions that were read.
                safe = !more || last.compareTo(safe) < 0 ? last : safe;
                more = true;
            }
        }
        List<String> ids = new ArrayList<>(more ? merged.headSet(safe, true) : merged);
        return ids.size() > limit
                ? new Candidates(ids.subList(0, limit), rows, itemsRead, ids.get(limit - 1), true)
                : new Candidates(ids, rows, itemsRead, safe, more);
    }

    @Override
    public boolean searches(LifecycleStatus status) {
        return statuses.test(status);
    }

    @Override
    public int maxPerRead() {
        return MAX_PER_QUERY;
    }
}
