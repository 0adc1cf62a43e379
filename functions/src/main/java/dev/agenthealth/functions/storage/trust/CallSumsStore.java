package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.gateway.CallHours;
import dev.agenthealth.model.gateway.CallSums;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads and erases the sums of calls by caller and agent. The end of an invocation adds to them. Thread-safe. */
public final class CallSumsStore {

    /** The maximum number of items that are read of one day and partition. */
    private static final int MAX_ITEMS = 1_000;

    private final Database database;
    private final Table registry;

    public CallSumsStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A caller and an agent.
     *
     * @param keyId the id of the caller's key
     * @param agentId the agent that was called
     */
    public record Pair(String keyId, String agentId) {}

    /**
     * The sums of a window.
     *
     * @param truncated whether some sums were not read, as there are too many
     */
    public record Read(Map<Pair, CallSums> sums, boolean truncated) {}

    /** Returns the sums of all pairs with a call in the window. Eventually consistent. Costs a query for each day and partition. */
    public Read of(CallHours window) {
        Map<Pair, CallSums> sums = new HashMap<>();
        boolean truncated = false;
        for (long day : window.days()) {
            for (int shard = 0; shard < CallSumsItem.SHARDS; shard++) {
                Page page = registry.page(Query.partition(CallSumsItem.partition(day, shard)), MAX_ITEMS, Map.of());
                truncated |= !page.lastKey().isEmpty();
                for (Map<String, AttributeValue> item : page.items()) {
                    CallSums more = CallSumsItem.read(item, day, window);
                    if (more.calls() > 0) {
                        sums.merge(CallSumsItem.pair(text(item, Attributes.SK)), more, CallSums::plus);
                    }
                }
            }
        }
        return new Read(sums, truncated);
    }

    /** Removes the sums of the calls of an agent. */
    public void removeOf(String agentId) {
        long today = CallHours.day(database.now());
        for (long day = today - CallHours.RETENTION.toDays(); day <= today; day++) {
            Query query = Query.partition(CallSumsItem.partition(day, CallSumsItem.shard(agentId)))
                    .startingWith(agentId + "#")
                    .project(Attributes.PK, Attributes.SK);
            List<Map<String, AttributeValue>> keys =
                    registry.all(query).map(Attributes::keyOf).toList();
            registry.deleteAll(keys);
        }
    }
}
