package dev.agenthealth.functions.storage.upstreams;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.upstream.UpstreamCall;
import dev.agenthealth.model.registry.upstream.UpstreamCalls;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the last calls of providers by each agent, in one item per agent. The items are spread over some partitions, so that the sweep reads them
 * all with few queries and writes of many agents do not meet. Thread-safe.
 */
public final class UpstreamCallStore {

    /** The number of partitions. A pass of the sweep reads all of them. */
    private static final int SHARDS = 4;

    private static final Duration RETENTION = Duration.ofDays(1);

    private static final String SEPARATOR = " ";
    private static final String NO_ERROR = "-";
    private static final int BASE = 36;
    private static final int PROVIDER = 0;
    private static final int ERROR = 1;
    private static final int CALLS = 2;
    private static final int AT = 3;
    private static final int MODEL = 4;

    private static final Codec<UpstreamUse> USE = new Codec<>();
    private static final Attribute<Long> OWNER = USE.always("owner", NUMBER, UpstreamUse::owner);
    private static final Attribute<List<String>> ENTRIES =
            USE.always("calls", TEXTS, use -> use.calls().entries().stream()
                    .map(UpstreamCallStore::text)
                    .toList());
    private static final Attribute<Long> REVISION = new Attribute<>("rev", NUMBER);

    private final Database database;
    private final Table registry;

    public UpstreamCallStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Adds calls of an agent. Costs one read, and one write if the calls change anything.
     *
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if other writers are faster too often
     */
    public void add(Pulse agent, List<UpstreamCall> calls) {
        if (calls.isEmpty()) {
            return;
        }
        OptimisticUpdates.untilDone(() -> {
            Map<String, AttributeValue> item = registry.get(key(agent.agentId()));
            Instant now = database.now();
            UpstreamCalls before =
                    item.isEmpty() ? UpstreamCalls.NONE : read(item).calls();
            UpstreamCalls after = before.plus(calls, now);
            return after.equals(before) || put(agent, after, item, now);
        });
    }

    private boolean put(Pulse agent, UpstreamCalls after, Map<String, AttributeValue> seen, Instant now) {
        long revision = REVISION.of(seen);
        Map<String, AttributeValue> item = Attributes.item(key(agent.agentId()), now.plus(RETENTION));
        USE.put(
                item,
                new UpstreamUse(agent.agentId(), GroupNumber.of(agent.owner().keyId()), after));
        REVISION.put(item, revision + 1);
        return registry.put(item, seen.isEmpty() ? Condition.absent(Attributes.PK) : REVISION.is(revision));
    }

    /** Returns the last calls of all agents, eventually consistent. */
    public List<UpstreamUse> all() {
        List<UpstreamUse> all = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            registry.all(Query.partition(ItemKind.UPSTREAM_CALLS.partition(Integer.toString(shard))))
                    .filter(item -> !Attributes.isExpired(item, database.now()))
                    .map(UpstreamCallStore::read)
                    .forEach(all::add);
        }
        return all;
    }

    /** Removes the calls of an agent. */
    public void removeOf(String agentId) {
        registry.delete(key(agentId));
    }

    private static Map<String, AttributeValue> key(String agentId) {
        return ItemKind.UPSTREAM_CALLS.key(Integer.toString(Math.floorMod(agentId.hashCode(), SHARDS)), agentId);
    }

    private static UpstreamUse read(Map<String, AttributeValue> item) {
        return new UpstreamUse(
                Values.text(item, Attributes.SK),
                OWNER.of(item),
                new UpstreamCalls(
                        ENTRIES.of(item).stream().map(UpstreamCallStore::entry).toList()));
    }

    private static String text(UpstreamCalls.Entry entry) {
        return String.join(
                SEPARATOR,
                entry.provider(),
                entry.error().map(WireNamed::wireName).orElse(NO_ERROR),
                Long.toString(entry.calls(), BASE),
                Long.toString(entry.at().toEpochMilli(), BASE),
                entry.model());
    }

    private static UpstreamCalls.Entry entry(String text) {
        String[] parts = text.split(SEPARATOR, MODEL + 1);
        return new UpstreamCalls.Entry(
                parts[PROVIDER],
                parts[MODEL],
                WireNamed.find(UpstreamError.class, parts[ERROR]),
                Long.parseLong(parts[CALLS], BASE),
                Instant.ofEpochMilli(Long.parseLong(parts[AT], BASE)));
    }
}
