package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.notifications.DeferredStore;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Erases agents. One transaction makes an agent unknown: it removes its row or tombstone, profile, tags and tasks, and writes a tombstone
 * without any text. Until that is marked as done, the id cannot be registered again, so all that is stored below the id is to be erased. Of
 * concurrent requests, one continues. Every step may be repeated. Thread-safe.
 *
 * <p>Kept are: the numbers of incarnations and events and the hash of the owner key (400 days, as of any gone agent), a block without its
 * reason (for good), events without texts (until they expire, 90 days by default), and what belongs to others: leases of intents, the track record of the provider.
 */
public final class ErasureStore {

    /** The time for which receipts may be stored: they expire after a day, and DynamoDB removes expired items within a few more. */
    private static final Duration MAX_AGE_OF_RECEIPTS = Duration.ofDays(4);

    private static final int PAGE_SIZE = 50;

    private final Database database;
    private final Table registry;
    private final DiscoveryTags tags;
    private final HostStore hosts;
    private final BlockStore blocks;
    private final TelemetryStore telemetry;
    private final ProblemStore problems;
    private final SilenceStore silences;
    private final DeferredStore deferred;

    public ErasureStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.tags = new DiscoveryTags(registry);
        this.hosts = new HostStore(database);
        this.blocks = new BlockStore(database);
        this.telemetry = new TelemetryStore(database);
        this.problems = new ProblemStore(database);
        this.silences = new SilenceStore(database);
        this.deferred = new DeferredStore(database);
    }

    /** The erasure of an agent, done or not; empty where none was begun since it last registered. */
    public Optional<Erasure> find(String agentId) {
        return database.findUnexpired(ItemKind.TOMBSTONE.key(agentId)).flatMap(item -> Erasure.read(agentId, item));
    }

    /** Returns whether anything is stored below an id, such as a track record, which are kept for good. */
    public boolean isLeftOver(String agentId) {
        return !registry.page(below(agentId), 1, Map.of()).items().isEmpty();
    }

    /** Makes a gone agent unknown to the spans of its owner's key, before it is unknown itself. */
    public void removeMappings(StoredAgent agent) {
        telemetry.removeOf(agent.pulse().owner().keyId(), agent.pulse().agentId());
    }

    /**
     * Makes a gone agent unknown.
     *
     * @return {@code false} where it is no longer as it was read
     */
    public boolean begin(StoredAgent agent) {
        String agentId = agent.pulse().agentId();
        Instant now = database.now();
        Map<String, AttributeValue> tombstone = Erasure.tombstone(agent.pulse().erased(now), now);
        Transaction transaction = database.transaction();
        if (agent.archived()) {
            transaction.put(registry, tombstone, PulseWrites.wholeAsSeen(agent.pulse()));
        } else {
            transaction
                    .put(registry, tombstone)
                    .delete(database.pulses(), PulseItem.key(agentId), PulseWrites.wholeAndCleanedUp(agent.pulse()));
            tags.remove(transaction, agent.profile(), agent.pulse());
        }
        return transaction
                .delete(registry, ItemKind.PROFILE.key(agentId))
                .delete(registry, ItemKind.METADATA.key(agentId))
                .delete(registry, ItemKind.TASKS.key(agentId))
                .commit();
    }

    /**
     * Begins with an id below which something is stored, but which is not registered.
     *
     * @return {@code false} where it was registered meanwhile
     */
    public boolean beginForgotten(String agentId) {
        Instant now = database.now();
        return database.transaction()
                .put(registry, Erasure.tombstone(Pulse.forgotten(agentId, now), now), Condition.absentOrExpired(now))
                .check(database.pulses(), PulseItem.key(agentId), PulseWrites.absent())
                .commit();
    }

    /**
     * Claims an erasure; others cannot until then, or until {@link #put} releases it.
     *
     * @return {@code false} where it is claimed already, or not as it was read
     */
    public boolean claim(Erasure seen, Instant until) {
        return registry.update(Update.of(ItemKind.TOMBSTONE.key(seen.agentId()))
                .set(Erasure.TAKEN_UNTIL, until)
                .when(Erasure.BEGUN_AT.is(seen.begunAt()))
                .when(Condition.absent(Erasure.DONE.name()))
                .when(Condition.absent(Erasure.TAKEN_UNTIL.name())
                        .or(Condition.atMost(Erasure.TAKEN_UNTIL.name(), moment(database.now())))
                        // A clock ran ahead: no claim lasts longer than this one.
                        .or(Condition.moreThan(Erasure.TAKEN_UNTIL.name(), moment(until.plus(ClockRule.MAX_SKEW))))));
    }

    /**
     * Stores the progress of an erasure and releases it.
     *
     * @param until until when it was claimed
     * @return {@code false} where it is no longer claimed until then
     */
    public boolean put(Erasure erasure, Instant until) {
        return registry.update(Update.of(ItemKind.TOMBSTONE.key(erasure.agentId()))
                .replace(Erasure.PROGRESS, erasure)
                .remove(Erasure.TAKEN_UNTIL.name())
                .when(Erasure.TAKEN_UNTIL.is(until)));
    }

    /** Erases what is stored elsewhere: hosts that show the agent's health, its problems, and the reasons of its blocks. */
    public void eraseElsewhere(String agentId) {
        hosts.removeOf(agentId);
        problems.removeOf(agentId);
        silences.removeOf(agentId);
        deferred.removeOf(agentId);
        String prefix = ItemKind.REGISTRY_EVENT.prefix() + "trust:agent:" + agentId + ":";
        Query query = keysAndTexts(ItemKind.REGISTRY_EVENT.partition()).startingWith(prefix);
        registry.all(query)
                // An id may contain a colon, and begin like another one.
                .filter(event ->
                        EventItem.detail(event).path("agent_id").asText().equals(agentId))
                .forEach(this::eraseTexts);
    }

    /**
     * Erases a page of what is stored below the agent's id.
     *
     * @param position the sort key after which it begins; empty for the first page
     * @return the position of the next one; empty where this was the last
     */
    public String erasePage(String agentId, String position) {
        Page page = registry.page(below(agentId).after(position), PAGE_SIZE, Map.of());
        List<Map<String, AttributeValue>> erased = new ArrayList<>();
        for (Map<String, AttributeValue> item : page.items()) {
            String sortKey = text(item, Attributes.SK);
            if (sortKey.equals(ItemKind.AGENT_BLOCK.sortKey())) {
                blocks.replaceReason(agentId, ErasedEvent.ERASED);
            } else if (sortKey.startsWith(ItemKind.AGENT_EVENT.prefix())) {
                eraseTexts(item);
            } else if (!sortKey.equals(ItemKind.TOMBSTONE.sortKey())) {
                erased.add(Attributes.keyOf(item));
                receipt(item).forEach(erased::add);
            }
        }
        registry.deleteAll(erased);
        return text(page.lastKey(), Attributes.SK);
    }

    /** The keys of the receipt of a logged invocation; none where the item is another or the receipt has expired. */
    private Stream<Map<String, AttributeValue>> receipt(Map<String, AttributeValue> item) {
        String sortKey = text(item, Attributes.SK);
        if (!sortKey.startsWith(ItemKind.AGENT_INVOCATION.prefix())
                && !sortKey.startsWith(ItemKind.OTHER_INVOCATION.prefix())) {
            return Stream.empty();
        }
        String[] parts = ItemKind.AGENT_INVOCATION.afterPrefix(item).split("#", 2);
        Instant at = Instant.ofEpochMilli(Long.parseLong(parts[0]));
        return at.plus(MAX_AGE_OF_RECEIPTS).isBefore(database.now())
                ? Stream.empty()
                : Stream.of(ItemKind.RECEIPT, ItemKind.MESSAGE, ItemKind.OUTPUT).map(kind -> kind.key(parts[1]));
    }

    private void eraseTexts(Map<String, AttributeValue> event) {
        String detail = text(event, EventItem.DETAIL);
        String erased = ErasedEvent.detail(text(event, EventItem.TYPE), detail);
        if (!erased.equals(detail)) {
            registry.update(Update.of(Attributes.keyOf(event))
                    .set(EventItem.DETAIL, s(erased))
                    // It may have expired meanwhile.
                    .when(Condition.exists(Attributes.PK)));
        }
    }

    private static Query below(String agentId) {
        return keysAndTexts(ItemKind.PROFILE.partition(agentId));
    }

    private static Query keysAndTexts(String partition) {
        return Query.partition(partition)
                .project(Attributes.PK, Attributes.SK, EventItem.TYPE, EventItem.DETAIL)
                .consistent();
    }
}
