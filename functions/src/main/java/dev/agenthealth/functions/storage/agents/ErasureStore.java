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
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.notifications.DeferredStore;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.functions.storage.statuspage.StatusPageStore;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.CallSumsStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamCallStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Erases agents. A transaction makes an agent unknown: it removes its row or tombstone, profile, tags and tasks, and writes a tombstone
 * without any text. Until the erasure is marked as done, the id cannot be registered again, so every item under the id can be erased. If
 * several requests erase the same agent, only one continues. Every step may be repeated. Thread-safe.
 *
 * <p>The following items are kept:
 * <ul>
 * <li>The numbers of incarnations and events and the hash of the owner's key, for 400 days, as for any gone agent.
 * <li>A block without its reason, permanently.
 * <li>Events without texts, until they expire, by default after 90 days.
 * <li>Items of others: leases of intents, and the track record of the provider.
 * </ul>
 */
public final class ErasureStore {

    /** The maximum age of receipts. They expire after a day, and DynamoDB removes expired items within a few more days. */
    private static final Duration MAX_AGE_OF_RECEIPTS = Duration.ofDays(4);

    private static final int PAGE_SIZE = 50;

    private final Database database;
    private final Table registry;
    private final DiscoveryTags tags;
    private final HostStore hosts;
    private final StatusPageStore statusPage;
    private final BlockStore blocks;
    private final StopStore stops;
    private final OpenTaskStore openTasks;
    private final UpstreamCallStore upstreamCalls;
    private final TelemetryStore telemetry;
    private final ProblemStore problems;
    private final SilenceStore silences;
    private final DeferredStore deferred;
    private final CallSumsStore calls;

    public ErasureStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.tags = new DiscoveryTags(registry);
        this.hosts = new HostStore(database);
        this.statusPage = new StatusPageStore(database);
        this.blocks = new BlockStore(database);
        this.stops = new StopStore(database);
        this.openTasks = new OpenTaskStore(database);
        this.upstreamCalls = new UpstreamCallStore(database);
        this.telemetry = new TelemetryStore(database);
        this.problems = new ProblemStore(database);
        this.silences = new SilenceStore(database);
        this.deferred = new DeferredStore(database);
        this.calls = new CallSumsStore(database);
    }

    /** Returns the erasure of an agent, done or not; empty if no erasure began since the agent last registered. */
    public Optional<Erasure> find(String agentId) {
        return database.findUnexpired(ItemKind.TOMBSTONE.key(agentId)).flatMap(item -> Erasure.read(agentId, item));
    }

    /** Returns whether any item is stored under an id, such as a track record, which is kept permanently. */
    public boolean isLeftOver(String agentId) {
        return !registry.page(below(agentId), 1, Map.of()).items().isEmpty();
    }

    /** Removes the mappings of spans to a gone agent, before the agent itself becomes unknown. */
    public void removeMappings(StoredAgent agent) {
        telemetry.removeOf(agent.pulse().owner().keyId(), agent.pulse().agentId());
    }

    /**
     * Makes a gone agent unknown.
     *
     * @return {@code false} if the agent is no longer as it was read
     */
    public boolean begin(StoredAgent agent) {
        String agentId = agent.pulse().agentId();
        Instant now = database.now();
        Map<String, AttributeValue> tombstone = Erasure.tombstone(RegistrationRule.erased(agent.pulse(), now), now);
        Transaction transaction = database.transaction();
        if (agent.archived()) {
            transaction.put(registry, tombstone, PulseConditions.wholeAsSeen(agent.pulse()));
        } else {
            transaction
                    .put(registry, tombstone)
                    .delete(
                            database.pulses(),
                            PulseItem.key(agentId),
                            PulseConditions.wholeAndCleanedUp(agent.pulse()));
            tags.remove(transaction, agent.profile(), agent.pulse());
        }
        return transaction
                .delete(registry, ItemKind.PROFILE.key(agentId))
                .delete(registry, ItemKind.METADATA.key(agentId))
                .delete(registry, ItemKind.TASKS.key(agentId))
                .commit();
    }

    /**
     * Begins the erasure of an id with stored items that is not registered.
     *
     * @return {@code false} if the id was registered since it was read
     */
    public boolean beginForgotten(String agentId) {
        Instant now = database.now();
        return database.transaction()
                .put(
                        registry,
                        Erasure.tombstone(RegistrationRule.forgotten(agentId, now), now),
                        Condition.absentOrExpired(now))
                .check(database.pulses(), PulseItem.key(agentId), PulseConditions.absent())
                .commit();
    }

    /**
     * Claims an erasure for one request. Other requests cannot claim it before {@code until}, or before {@link #put} releases it.
     *
     * @return {@code false} if the erasure is already claimed, or is no longer as it was read
     */
    public boolean claim(Erasure seen, Instant until) {
        return registry.update(Update.of(ItemKind.TOMBSTONE.key(seen.agentId()))
                .set(Erasure.TAKEN_UNTIL, until)
                .when(Erasure.BEGUN_AT.is(seen.begunAt()))
                .when(Condition.absent(Erasure.DONE.name()))
                .when(Condition.absent(Erasure.TAKEN_UNTIL.name())
                        .or(Condition.atMost(Erasure.TAKEN_UNTIL.name(), moment(database.now())))
                        // A claim that lasts longer than this one comes from a clock that ran ahead.
                        .or(Condition.moreThan(Erasure.TAKEN_UNTIL.name(), moment(until.plus(ClockRule.MAX_SKEW))))));
    }

    /**
     * Stores the progress of an erasure and releases its claim.
     *
     * @param until the end of the claim
     * @return {@code false} if the erasure is no longer claimed until then
     */
    public boolean put(Erasure erasure, Instant until) {
        return registry.update(Update.of(ItemKind.TOMBSTONE.key(erasure.agentId()))
                .replace(Erasure.PROGRESS, erasure)
                .remove(Erasure.TAKEN_UNTIL.name())
                .when(Erasure.TAKEN_UNTIL.is(until)));
    }

    /**
     * Erases items outside of the agent's partition: hosts that show the agent's health, its lines of the status page, its problems, its silences, the sums of its calls, and the reasons of its
     * blocks and of its stop.
     */
    public void eraseElsewhere(String agentId) {
        hosts.removeOf(agentId);
        statusPage.removeOf(agentId);
        problems.removeOf(agentId);
        silences.removeOf(agentId);
        deferred.removeOf(agentId);
        stops.replaceReason(agentId, ErasedEvent.ERASED);
        openTasks.removeOf(agentId);
        upstreamCalls.removeOf(agentId);
        calls.removeOf(agentId);
        String prefix = ItemKind.REGISTRY_EVENT.prefix() + "trust:agent:" + agentId + ":";
        Query query = keysAndTexts(ItemKind.REGISTRY_EVENT.partition()).startingWith(prefix);
        registry.all(query)
                // An id may contain a colon, and begin like another id.
                .filter(event ->
                        EventItem.detail(event).path("agent_id").asText().equals(agentId))
                .forEach(this::eraseTexts);
    }

    /**
     * Erases a page of the items under the agent's id.
     *
     * @param position the sort key after which the page begins; empty for the first page
     * @return the position of the next page; empty if this page was the last
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

    /** Returns the keys of the receipt of a logged invocation; empty if the item is no logged invocation or the receipt has expired. */
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
                    // The item may have expired since it was read.
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
