package dev.agenthealth.functions.storage.ghosts;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.registry.lifecycle.GhostActivity;
import dev.agenthealth.model.registry.lifecycle.GhostRule;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.GhostState;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the activity of each agent that is gone, superseded, blocked or stopped, in one item. Published activity is also listed by the time at which it
 * may be over, so that a pass of the sweep reads only activity that may be over. Thread-safe.
 */
public final class GhostStore {

    /** The time after which activity without an event is removed. */
    private static final Duration RETENTION = Duration.ofDays(1);

    private static final int DIGITS_OF_MILLIS = 15;

    private static final Codec<GhostActivity> ACTIVITY = new Codec<>();
    private static final Codec<Sighting> LAST = ACTIVITY.part(GhostActivity::last);
    private static final Attribute<GhostSource> SOURCE =
            LAST.always("of", AttributeType.wireName(GhostSource.SPANS), Sighting::source);
    private static final Attribute<GhostState> STATE =
            LAST.always("state", AttributeType.wireName(GhostState.DEAD), Sighting::state);
    private static final Attribute<Long> INCARNATION = LAST.always("inc", NUMBER, Sighting::incarnation);
    private static final Attribute<Boolean> BY_OPERATOR = LAST.always("op", BIT, Sighting::byOperator);
    private static final Attribute<Instant> AT = LAST.always("at", MOMENT, Sighting::at);
    private static final Attribute<String> INSTANCE = LAST.optional("instance", TEXT, Sighting::instance);
    private static final Attribute<String> ADDRESS = LAST.optional("address", TEXT, Sighting::address);
    private static final Attribute<Instant> SINCE = ACTIVITY.always("since", MOMENT, GhostActivity::since);
    private static final Attribute<Long> COUNT = ACTIVITY.always("count", NUMBER, GhostActivity::count);
    private static final Attribute<Boolean> PUBLISHED = ACTIVITY.always("open", BIT, GhostActivity::published);

    private final Database database;
    private final Table registry;

    public GhostStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Published activity that may be over.
     *
     * @param listed the key of the entry in the list
     */
    public record Due(String agentId, Map<String, AttributeValue> listed) {}

    /** Returns the activity of an agent as of now; empty without any. */
    public Optional<GhostActivity> find(String agentId) {
        return registry.find(ItemKind.GHOST.key(agentId)).map(GhostStore::read);
    }

    /**
     * An agent with its activity.
     *
     * @param activity empty without any
     */
    public record Seen(StoredAgent agent, Optional<GhostActivity> activity) {}

    /** Returns an agent with its activity as of now; empty if the agent is unknown. Costs one request. */
    public Optional<Seen> find(AgentStore agents, String agentId) {
        return agents.find(agentId, ItemKind.GHOST)
                .map(found -> new Seen(
                        found.agent(),
                        Optional.of(found.item())
                                .filter(item -> !item.isEmpty())
                                .map(GhostStore::read)));
    }

    /** Stores activity that is not to be published, or was published already. Returns {@code false} if the stored activity changed. */
    public boolean put(String agentId, Optional<GhostActivity> before, GhostActivity after) {
        return registry.put(item(agentId, after), isAsRead(before));
    }

    /**
     * Stores activity and publishes its event. Returns {@code false} if the stored activity or the agent changed.
     *
     * @param agent the agent, which may be archived
     */
    public boolean publish(StoredAgent agent, Optional<GhostActivity> before, GhostActivity after) {
        Instant now = database.now();
        String agentId = agent.pulse().agentId();
        Transaction transaction = database.transaction()
                .put(registry, item(agentId, after.asPublished()), isAsRead(before))
                .put(registry, Attributes.item(listed(agentId, now.plus(GhostRule.OVER_AFTER))));
        return addEvent(transaction, agent, after, false, now).commit();
    }

    /** Removes activity that is over, and publishes its event. Returns {@code false} if the stored activity or the agent changed. */
    public boolean end(StoredAgent agent, GhostActivity seen, Due due) {
        Transaction transaction = database.transaction()
                .delete(registry, ItemKind.GHOST.key(due.agentId()), isAsRead(Optional.of(seen)))
                .delete(registry, due.listed());
        return addEvent(transaction, agent, seen, true, database.now()).commit();
    }

    private Transaction addEvent(
            Transaction transaction, StoredAgent agent, GhostActivity activity, boolean over, Instant now) {
        Pulse counted = agent.pulse().withOneMoreEvent();
        if (agent.archived()) {
            transaction.update(registry, PulseWrites.eventsOf(ItemKind.TOMBSTONE.key(counted.agentId()), counted));
        } else {
            transaction.update(database.pulses(), PulseWrites.events(counted, 1));
        }
        return EventWrites.add(
                transaction,
                database,
                List.of(AgentEvents.activeWhileGone(counted, agent.profile().roleId(), activity, over, now)));
    }

    /** Returns up to {@code limit} ids of agents with published activity that is not over. */
    public List<String> active(int limit) {
        return registry
                .first(limit, Query.partition(ItemKind.GHOST_END.partition()).consistent())
                .stream()
                .map(item -> text(item, Attributes.SK).substring(DIGITS_OF_MILLIS + 1))
                .distinct()
                .toList();
    }

    /** Returns published activity that may be over now, the oldest first. */
    public List<Due> due(Instant now, int limit) {
        return registry
                .first(
                        limit,
                        Query.partition(ItemKind.GHOST_END.partition())
                                .before(millis(now))
                                .consistent())
                .stream()
                .map(item -> new Due(text(item, Attributes.SK).substring(DIGITS_OF_MILLIS + 1), Attributes.keyOf(item)))
                .toList();
    }

    /** Removes an entry from the list, because its agent has no published activity. */
    public void forget(Due due) {
        registry.delete(due.listed());
    }

    /** Lists activity that goes on at a later time. */
    public void postpone(Due due, Instant at) {
        registry.put(Attributes.item(listed(due.agentId(), at)));
        registry.delete(due.listed());
    }

    private static Map<String, AttributeValue> listed(String agentId, Instant at) {
        return ItemKind.GHOST_END.key(millis(at), agentId);
    }

    private static String millis(Instant at) {
        return Attributes.padded(at.toEpochMilli(), DIGITS_OF_MILLIS);
    }

    private static Condition isAsRead(Optional<GhostActivity> before) {
        return before.map(seen ->
                        COUNT.is(seen.count()).and(AT.is(seen.last().at())).and(SINCE.is(seen.since())))
                .orElseGet(() -> Condition.absent(Attributes.PK));
    }

    private Map<String, AttributeValue> item(String agentId, GhostActivity activity) {
        Map<String, AttributeValue> item = ACTIVITY.item(ItemKind.GHOST.key(agentId), activity);
        if (!activity.published()) {
            item.put(Attributes.EXPIRES, Values.seconds(database.now().plus(RETENTION)));
        }
        return item;
    }

    private static GhostActivity read(Map<String, AttributeValue> item) {
        return new GhostActivity(
                new Sighting(
                        SOURCE.of(item),
                        STATE.of(item),
                        INCARNATION.of(item),
                        BY_OPERATOR.of(item),
                        AT.of(item),
                        INSTANCE.of(item),
                        ADDRESS.of(item)),
                SINCE.of(item),
                COUNT.of(item),
                PUBLISHED.of(item));
    }
}
