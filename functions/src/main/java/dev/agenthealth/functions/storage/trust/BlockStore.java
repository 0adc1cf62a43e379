package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.SECONDS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.functions.storage.usage.SharedUsageStore;
import dev.agenthealth.model.event.TrustEvents;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Containment;
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.upstream.Upstreams;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedUsage;
import dev.agenthealth.model.registry.usage.SharedUsages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the blocks of agents and providers, in one item each. Only operators and their rules write these items, so that recording an
 * invocation never changes a block that a person decided. Blocks in force, and blocks with an end that is not stored yet, are also listed in one partition. All other reads are
 * strongly consistent, and return the blocks in force now. Thread-safe.
 */
public final class BlockStore {

    private static final Codec<Block> BLOCK = new Codec<>();
    private static final Attribute<Boolean> IN_FORCE = BLOCK.always("blocked", FLAG, Block::inForce);
    private static final Attribute<String> REASON = BLOCK.always("reason", TEXT, Block::reason);
    private static final Attribute<Instant> UNTIL = BLOCK.optional("until", MOMENT.or(Instant.MAX), Block::until);
    private static final Attribute<String> ACTOR = BLOCK.always("actor", TEXT, Block::actor);
    private static final Attribute<Instant> AT = BLOCK.always("at", MOMENT, Block::at);
    private static final Attribute<Long> REVISION = BLOCK.always("rev", NUMBER, Block::revision);
    private static final Codec<Containment> CONTAINMENT = BLOCK.part(Block::containment);
    private static final Attribute<String> RULE = CONTAINMENT.optional("rule", TEXT, Containment::rule);
    private static final Attribute<Duration> PERIOD = CONTAINMENT.optional("period", SECONDS, Containment::period);
    private static final Attribute<Integer> TRIALS = CONTAINMENT.optional("trials", INTEGER, Containment::trialCalls);
    private static final Attribute<Instant> TRIALS_FROM =
            CONTAINMENT.optional("trials_from", MOMENT, Containment::trialsFrom);
    private static final Codec<Containment.Trials> TRIED = CONTAINMENT.part(Containment::tried);
    private static final Attribute<Integer> TRIED_BEGUN = TRIED.optional("tried", INTEGER, Containment.Trials::begun);
    private static final Attribute<Integer> TRIED_SUCCEEDED =
            TRIED.optional("tried_ok", INTEGER, Containment.Trials::succeeded);
    private static final Attribute<Instant> TRIED_AT = TRIED.optional("tried_at", MOMENT, Containment.Trials::lastAt);

    private final Database database;
    private final Table registry;

    public BlockStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The blocks that apply to calls of an agent.
     *
     * @param ofProviders the blocks of the providers
     * @param ofAgent the block of the agent
     * @param stops the stops in force
     * @param shared the shared limits that are nearly or wholly used, if they were read
     */
    public record Blocks(List<Block> ofProviders, Block ofAgent, Stops stops, SharedUsages shared) {}

    /** Returns the blocks of an agent and of these providers, and the stops in force. Costs one request. */
    public Blocks of(String agentId, Set<String> providerIds) {
        return of(agentId, providerIds, List.of());
    }

    /** Returns the block of an agent that registers, the stops in force, and the use of the limits of these holders. Costs one request. */
    public Blocks atRegistration(String agentId, List<LimitHolder> holders) {
        return of(agentId, Set.of(), holders);
    }

    private Blocks of(String agentId, Set<String> providerIds, List<LimitHolder> holders) {
        OfAgent agent = new OfAgent(agentId);
        Map<TrustSubject, Block> blocks = new HashMap<>();
        Map<Map<String, AttributeValue>, TrustSubject> byKey = new HashMap<>();
        providerIds.forEach(providerId -> byKey.put(key(new OfProvider(providerId)), new OfProvider(providerId)));
        byKey.put(key(agent), agent);
        List<Map<String, AttributeValue>> keys = new ArrayList<>(byKey.keySet());
        keys.add(StopStore.key());
        holders.forEach(holder -> keys.add(SharedUsageStore.key(holder)));
        List<SharedUsage> shared = new ArrayList<>();
        Stops stops = Stops.NONE;
        Instant now = database.now();
        byKey.values().forEach(subject -> blocks.put(subject, Block.NONE));
        for (Map<String, AttributeValue> item : registry.getAll(keys, true)) {
            if (isStops(item)) {
                stops = StopStore.of(item);
            } else if (SharedUsageStore.isSharedUsage(item)) {
                SharedUsageStore.read(item).ifPresent(shared::add);
            } else {
                blocks.put(byKey.get(Attributes.keyOf(item)), read(item).asOf(now));
            }
        }
        Block ofAgent = blocks.remove(agent);
        return new Blocks(List.copyOf(blocks.values()), ofAgent, stops, new SharedUsages(shared));
    }

    /** Returns the keys of the items that {@link #atRegistration(String, List)} reads. */
    public static List<Map<String, AttributeValue>> keysAtRegistration(String agentId, List<LimitHolder> holders) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        keys.add(ItemKind.AGENT_BLOCK.key(agentId));
        keys.add(StopStore.key());
        holders.forEach(holder -> keys.add(SharedUsageStore.key(holder)));
        return keys;
    }

    /**
     * Returns the result of {@link #atRegistration(String, List)}.
     *
     * @param items the items of {@link #keysAtRegistration}, and possibly other items, but of no other holder
     */
    public Blocks atRegistration(String agentId, Database.Items items) {
        Map<String, AttributeValue> block =
                items.in(ItemKind.AGENT_BLOCK.partition(agentId)).of(ItemKind.AGENT_BLOCK);
        Database.Items ofAll = items.in(ItemKind.STOPS.partition());
        Map<String, AttributeValue> stops = ofAll.of(ItemKind.STOPS);
        return new Blocks(
                List.of(),
                block.isEmpty() ? Block.NONE : read(block).asOf(database.now()),
                stops.isEmpty() ? Stops.NONE : StopStore.of(stops),
                new SharedUsages(ofAll.registry().stream()
                        .filter(SharedUsageStore::isSharedUsage)
                        .flatMap(item -> SharedUsageStore.read(item).stream())
                        .toList()));
    }

    /** Returns the block of each of these agents and providers; {@link Block#NONE} if no block was decided. */
    public <T extends TrustSubject> Map<T, Block> of(List<T> subjects) {
        Instant now = database.now();
        Map<T, Block> blocks = stored(subjects);
        blocks.replaceAll((subject, block) -> block.asOf(now));
        return blocks;
    }

    private <T extends TrustSubject> Map<T, Block> stored(List<T> subjects) {
        Map<T, Block> blocks = new HashMap<>();
        Map<String, T> byPartition = new HashMap<>();
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        for (T subject : subjects) {
            Map<String, AttributeValue> key = key(subject);
            blocks.put(subject, Block.NONE);
            if (byPartition.put(text(key, Attributes.PK), subject) == null) {
                keys.add(key);
            }
        }
        registry.getAll(keys, true).forEach(item -> blocks.put(byPartition.get(text(item, Attributes.PK)), read(item)));
        return blocks;
    }

    /**
     * Returns the blocks whose end has passed and is not stored yet, in their state after the end. Costs one query, and one read if the
     * query found a block.
     */
    public Map<TrustSubject, Block> ended() {
        Instant now = database.now();
        List<TrustSubject> listed = registry.all(Query.partition(ItemKind.BLOCKED_AGENT.partition()))
                .filter(item -> !isStops(item)
                        && !UpstreamStore.isUpstream(item)
                        && !SharedUsageStore.isSharedUsage(item)
                        && !isInForce(item))
                .map(BlockStore::subject)
                .toList();
        Map<TrustSubject, Block> ended = new HashMap<>();
        stored(listed).forEach((subject, block) -> block.ended(now).ifPresent(decided -> ended.put(subject, decided)));
        return ended;
    }

    private static TrustSubject subject(Map<String, AttributeValue> listed) {
        return text(listed, Attributes.SK).startsWith(ItemKind.BLOCKED_AGENT.prefix())
                ? new OfAgent(ItemKind.BLOCKED_AGENT.afterPrefix(listed))
                : new OfProvider(ItemKind.BLOCKED_PROVIDER.afterPrefix(listed));
    }

    /**
     * The agents and providers whose calls are blocked.
     *
     * @param agents ids of agents
     * @param providers ids of providers
     * @param stops the stops in force
     * @param upstreams the model providers that fail for many agents
     * @param shared the limits of roles and owners that are nearly or wholly used
     */
    public record InForce(
            Set<String> agents, Set<String> providers, Stops stops, Upstreams upstreams, SharedUsages shared) {

        /** The decisions in force if there is none. */
        public static final InForce NOTHING =
                new InForce(Set.of(), Set.of(), Stops.NONE, Upstreams.NONE, SharedUsages.NONE);

        /** Nothing is in force. */
        public static final InForce NONE =
                new InForce(Set.of(), Set.of(), Stops.NONE, Upstreams.NONE, SharedUsages.NONE);
    }

    private static boolean isStops(Map<String, AttributeValue> item) {
        return Attributes.keyOf(item).equals(StopStore.key());
    }

    /**
     * Returns all blocks and stops in force, the model providers that fail for many agents, and the shared limits that are nearly or wholly used.
     * Costs one query.
     */
    public InForce inForce() {
        Set<String> agents = new HashSet<>();
        Set<String> providers = new HashSet<>();
        Query query = Query.partition(ItemKind.BLOCKED_AGENT.partition()).consistent();
        Stops stops = Stops.NONE;
        List<UpstreamProblem> upstreams = new ArrayList<>();
        List<SharedUsage> shared = new ArrayList<>();
        for (Map<String, AttributeValue> item : registry.all(query).toList()) {
            if (UpstreamStore.isUpstream(item)) {
                upstreams.add(UpstreamStore.read(item));
            } else if (SharedUsageStore.isSharedUsage(item)) {
                SharedUsageStore.read(item).ifPresent(shared::add);
            } else if (isStops(item)) {
                stops = StopStore.of(item);
            } else if (isInForce(item)) {
                TrustSubject subject = subject(item);
                (subject instanceof OfAgent ? agents : providers).add(subject.id());
            }
        }
        return new InForce(agents, providers, stops, new Upstreams(upstreams), new SharedUsages(shared));
    }

    /** Returns up to {@code limit} ids of blocked agents after {@code after}, by id; {@code after} is empty at the beginning. */
    public List<String> blockedAgents(String after, int limit) {
        return listed(ItemKind.BLOCKED_AGENT, after, limit);
    }

    /** Returns up to {@code limit} ids of blocked providers after {@code after}, by id; {@code after} is empty at the beginning. */
    public List<String> blockedProviders(String after, int limit) {
        return listed(ItemKind.BLOCKED_PROVIDER, after, limit);
    }

    private List<String> listed(ItemKind kind, String after, int limit) {
        Query query = Query.partition(kind.partition())
                .startingWith(kind.prefix(), after)
                .consistent();
        return registry.all(query)
                .filter(this::isInForce)
                .map(kind::afterPrefix)
                .limit(limit)
                .toList();
    }

    /** Returns whether a listed block has not ended. A block stays listed until its end is stored. */
    private boolean isInForce(Map<String, AttributeValue> listed) {
        return database.now().isBefore(UNTIL.of(listed));
    }

    /**
     * Writes a decision about a provider, or about an agent that is not registered, with its event.
     *
     * @return {@code false} if a concurrent write changed the block, so that the revision is not the next one, or if the agent
     *     registered since
     */
    public boolean decide(TrustSubject subject, Block decided) {
        Transaction transaction = decision(subject, decided);
        if (subject instanceof OfAgent agent) {
            // An agent that registered since the read has a row, and its row needs a note.
            transaction.check(database.pulses(), PulseItem.key(agent.id()), PulseConditions.absent());
        }
        return EventWrites.add(transaction, database, List.of(TrustEvents.decided(subject, decided)))
                .commit();
    }

    /** Returns the condition on {@link ItemKind#AGENT_BLOCK} that the block of an agent is still {@code seen}. */
    public static Condition isStill(Block seen) {
        return Condition.numberOrAbsent(REVISION.name(), seen.revision());
    }

    /**
     * Writes a decision about a registered agent with its event, and a note for its heartbeats on its row or tombstone.
     *
     * @param archived whether the agent has a tombstone in place of a row
     * @return {@code false} if a concurrent write changed the block or the agent
     */
    public boolean decide(Pulse agent, String roleId, boolean archived, Block decided) {
        return deciding(agent, roleId, archived, decided).commit();
    }

    /** Returns the transaction of a decision about a registered agent, as {@link #decide(Pulse, String, boolean, Block)} commits it. */
    public Transaction deciding(Pulse agent, String roleId, boolean archived, Block decided) {
        Pulse counted = agent.withBlock(decided.noted());
        Transaction transaction = decision(new OfAgent(agent.agentId()), decided);
        if (archived) {
            transaction.update(registry, PulseWrites.block(ItemKind.TOMBSTONE.key(agent.agentId()), counted));
        } else {
            transaction.update(database.pulses(), PulseWrites.block(PulseItem.key(agent.agentId()), counted));
        }
        return EventWrites.add(transaction, database, List.of(TrustEvents.decided(counted, roleId, decided)));
    }

    /**
     * Stores that a trial call of a contained agent began or ended without a decision.
     *
     * @return {@code false} if another call began or ended since the block was read, or the block changed
     */
    public boolean putTrials(String agentId, Block seen, Containment after) {
        Containment.Trials before = seen.containment().tried();
        return registry.update(Update.of(key(new OfAgent(agentId)))
                .replace(TRIED, after.tried())
                .when(REVISION.is(seen.revision()))
                .when(before.equals(Containment.Trials.NONE) ? TRIED_AT.isAbsent() : TRIED_AT.is(before.lastAt()))
                .when(Condition.numberOrAbsent(TRIED_BEGUN.name(), before.begun()))
                .when(Condition.numberOrAbsent(TRIED_SUCCEEDED.name(), before.succeeded())));
    }

    private Transaction decision(TrustSubject subject, Block decided) {
        Transaction transaction = database.transaction()
                .put(
                        registry,
                        BLOCK.item(key(subject), decided),
                        Condition.numberOrAbsent(REVISION.name(), decided.revision() - 1));
        list(transaction, subject, decided);
        return transaction;
    }

    private void list(Transaction transaction, TrustSubject subject, Block decided) {
        ItemKind kind = subject instanceof OfProvider ? ItemKind.BLOCKED_PROVIDER : ItemKind.BLOCKED_AGENT;
        Map<String, AttributeValue> key = kind.key(subject.id());
        if (!decided.inForce()) {
            transaction.delete(registry, key);
            return;
        }
        Map<String, AttributeValue> listed = Attributes.item(key);
        if (decided.hasEnd()) {
            UNTIL.put(listed, decided.until());
        }
        transaction.put(registry, listed);
    }

    /** Replaces the reason of an agent's block, if there is a block. The next event needs a reason. */
    public void replaceReason(String agentId, String text) {
        registry.update(Update.of(key(new OfAgent(agentId))).set(REASON, text).when(Condition.exists(Attributes.PK)));
    }

    private static Map<String, AttributeValue> key(TrustSubject subject) {
        ItemKind kind = subject instanceof OfProvider ? ItemKind.PROVIDER_BLOCK : ItemKind.AGENT_BLOCK;
        return kind.key(subject.id());
    }

    private static Block read(Map<String, AttributeValue> item) {
        return new Block(
                IN_FORCE.of(item),
                REASON.of(item),
                UNTIL.of(item),
                ACTOR.of(item),
                AT.of(item),
                REVISION.of(item),
                containment(item));
    }

    private static Containment containment(Map<String, AttributeValue> item) {
        return new Containment(
                RULE.of(item),
                PERIOD.of(item),
                TRIALS.of(item),
                TRIALS_FROM.of(item),
                new Containment.Trials(TRIED_BEGUN.of(item), TRIED_SUCCEEDED.of(item), TRIED_AT.of(item)));
    }
}
