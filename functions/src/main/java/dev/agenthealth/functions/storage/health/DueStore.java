package dev.agenthealth.functions.storage.health;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The agents whose health is due to be computed, by due time. Adding outcomes makes the changed part of a slice due in the same write; any other
 * change, and the passing of time, makes the agent's health item due.
 *
 * <p>An entry is written with or after the change that is its reason, and {@link MeasurementStore} removes it only if no other reason came since
 * it was read: no change is missed, and at worst a health is computed twice. Thread-safe.
 */
public final class DueStore {

    private final Database database;

    public DueStore(Database database) {
        this.database = database;
    }

    /**
     * Agents of one shard whose health is due.
     *
     * @param changedSlices by agent, the slices to which outcomes were added since they were last read, as far as the index shows them; none where the
     *     reason is another
     * @param isCut whether reading ended at its limit, so that more may be due
     */
    public record DueAgents(Map<String, Set<Slice>> changedSlices, boolean isCut) {}

    /** Makes the health of an agent due at once. */
    public void markDue(String agentId) {
        database.registry().update(DueEntry.ofHealth(agentId, database));
    }

    /** The number of shards that entries are written to now. */
    public int shards() {
        return database.duePartitions();
    }

    /** The number of shards that may hold entries, which were written while another number was configured. */
    public int allShards() {
        return Tables.MAX_DUE_PARTITIONS;
    }

    /**
     * The agents of a shard whose health is due.
     *
     * @param shard from 0 to {@link #allShards} - 1
     * @param limit the maximum number of entries read; an agent may have several
     */
    public DueAgents due(int shard, Instant now, int limit) {
        Query query = Query.due(DueEntry.partition(shard)).between(DueEntry.AT_ONCE, DueEntry.dueAt(now));
        List<Map<String, AttributeValue>> entries = database.registry().first(limit, query);
        Map<String, Set<Slice>> agents = new LinkedHashMap<>();
        for (Map<String, AttributeValue> entry : entries) {
            Set<Slice> changed = agents.computeIfAbsent(ItemKind.HEALTH.ofPartition(entry), id -> new TreeSet<>());
            if (SliceItem.isPart(entry)) {
                changed.add(SliceItem.slice(entry));
            }
        }
        return new DueAgents(agents, entries.size() == limit);
    }
}
