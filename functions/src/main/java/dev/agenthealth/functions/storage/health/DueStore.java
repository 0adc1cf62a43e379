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
 * Finds the agents whose health is due to be computed, by due time. A write that adds outcomes makes the changed part of a slice due at the
 * same time. Any other change, and the passing of time, makes the agent's health item due.
 *
 * <p>An entry is written with its change or after it. {@link MeasurementStore} removes an entry only if no new reason was added after the
 * entry was read. No change is missed, and at worst a health is computed twice. Thread-safe.
 */
public final class DueStore {

    private final Database database;

    public DueStore(Database database) {
        this.database = database;
    }

    /**
     * Agents of one shard whose health is due.
     *
     * @param changedSlices by agent, the slices with outcomes that were added since the last read, as far as the index shows them;
     *     empty for any other reason
     * @param isCut whether the read ended at its limit, so that more agents may be due
     */
    public record DueAgents(Map<String, Set<Slice>> changedSlices, boolean isCut) {}

    /** Makes the health of an agent due at once. */
    public void markDue(String agentId) {
        database.registry().update(DueEntry.ofHealth(agentId, database));
    }

    /** Returns the number of shards to which entries are currently written. */
    public int shards() {
        return database.duePartitions();
    }

    /** Returns the number of shards that may hold entries, including entries that were written under another configured number. */
    public int allShards() {
        return Tables.MAX_DUE_PARTITIONS;
    }

    /**
     * Returns the agents of a shard whose health is due.
     *
     * @param shard from 0 to {@link #allShards} - 1
     * @param limit the maximum number of entries read; an agent may have several entries
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
