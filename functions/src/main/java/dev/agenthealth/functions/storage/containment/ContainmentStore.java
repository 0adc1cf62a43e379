package dev.agenthealth.functions.storage.containment;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.SECONDS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT_SET;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

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
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.ContainmentEvents;
import dev.agenthealth.model.health.containment.ContainmentAction;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentCase.Done;
import dev.agenthealth.model.health.containment.ContainmentCase.Step;
import dev.agenthealth.model.health.containment.ContainmentChange;
import dev.agenthealth.model.health.containment.ContainmentGuard;
import dev.agenthealth.model.health.containment.ContainmentMode;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.health.containment.HeldBack;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the rules that contain agents, and their cases, in one partition. The sweep reads all of them with one query. Each act of a rule is one
 * transaction with its event and its case, and with the number of all acts: of two passes that read the same state, only one acts. Thread-safe.
 */
public final class ContainmentStore {

    private static final Codec<StoredContainment> STORED = new Codec<>();
    private static final Codec<ContainmentRule> RULE = STORED.part(StoredContainment::rule);
    private static final Codec<ContainmentRule.Filter> FILTER = RULE.part(ContainmentRule::filter);
    private static final Codec<ContainmentRule.When> WHEN = RULE.part(ContainmentRule::when);
    private static final Codec<ContainmentRule.Release> RELEASE = RULE.part(ContainmentRule::release);
    private static final Codec<HeldBack> HELD = STORED.optionalPart(StoredContainment::heldBack);
    private static final AttributeType<Set<ContainmentReason>> REASON_SET =
            AttributeType.wireNames(ContainmentReason.class);
    private static final AttributeType<Optional<AgentKind>> KIND_TYPE =
            TEXT.as(Optional.empty(), kind -> kind.map(AgentKind::wireName).orElse(""), ContainmentStore::kind);

    private static final Attribute<Long> VERSION = STORED.always("ver", NUMBER, StoredContainment::version);
    private static final Attribute<Instant> CREATED_AT = RULE.always("created", MOMENT, ContainmentRule::createdAt);
    private static final Attribute<Set<String>> ROLES =
            FILTER.optional("roles", TEXT_SET, ContainmentRule.Filter::roles);
    private static final Attribute<Set<String>> OWNERS =
            FILTER.optional("owners", TEXT_SET, ContainmentRule.Filter::owners);
    private static final Attribute<Set<String>> PROVIDERS =
            FILTER.optional("providers", TEXT_SET, ContainmentRule.Filter::providers);
    private static final Attribute<Set<String>> CAPABILITIES =
            FILTER.optional("capabilities", TEXT_SET, ContainmentRule.Filter::capabilities);
    private static final Attribute<Optional<AgentKind>> KIND =
            FILTER.optional("kind", KIND_TYPE, ContainmentRule.Filter::kind);
    private static final Attribute<Set<ContainmentReason>> WHEN_REASONS =
            WHEN.always("reasons", REASON_SET, ContainmentRule.When::reasons);
    private static final Attribute<Long> MIN_EXECUTIONS =
            WHEN.optional("executions", NUMBER, ContainmentRule.When::minExecutions);
    private static final Attribute<Duration> DURATION = WHEN.optional("for", SECONDS, ContainmentRule.When::duration);
    private static final Attribute<ContainmentAction> ACTION =
            RULE.always("action", AttributeType.wireName(ContainmentAction.BLOCK), ContainmentRule::action);
    private static final Attribute<ContainmentMode> MODE =
            RULE.always("mode", AttributeType.wireName(ContainmentMode.OBSERVE), ContainmentRule::mode);
    private static final Attribute<Duration> RELEASE_AFTER =
            RELEASE.always("after", SECONDS, ContainmentRule.Release::after);
    private static final Attribute<Integer> TRIAL_CALLS =
            RELEASE.always("trials", INTEGER, ContainmentRule.Release::trialCalls);
    private static final Attribute<ContainmentGuard> HELD_BY =
            HELD.always("held_by", AttributeType.wireName(ContainmentGuard.SHARE_OF_ROLE), HeldBack::guard);
    private static final Attribute<Long> HELD_AGENTS = HELD.always("held", NUMBER, HeldBack::agents);
    private static final Attribute<Instant> HELD_SINCE = HELD.always("held_since", MOMENT, HeldBack::since);

    private static final Codec<ContainmentCase> CASE = new Codec<>();
    private static final Codec<Done> DONE = CASE.optionalPart(ContainmentCase::done);
    private static final Attribute<Long> CASE_ROLE = CASE.optional("role", NUMBER, ContainmentCase::roleNumber);
    private static final Attribute<Set<ContainmentReason>> CASE_REASONS =
            CASE.always("reasons", REASON_SET, ContainmentCase::reasons);
    private static final Attribute<Instant> SINCE = CASE.always("since", MOMENT, ContainmentCase::since);
    private static final Attribute<Step> STEP =
            CASE.always("step", AttributeType.wireName(Step.OVER), ContainmentCase::step);
    private static final Attribute<ContainmentAction> DONE_ACTION =
            DONE.always("did", AttributeType.wireName(ContainmentAction.BLOCK), Done::action);
    private static final Attribute<Boolean> OBSERVED = DONE.always("observed", AttributeType.BIT, Done::observed);
    private static final Attribute<Instant> DONE_AT = DONE.always("did_at", MOMENT, Done::at);
    private static final Attribute<Long> TIMES = DONE.always("times", NUMBER, Done::times);

    private static final Attribute<Long> ACTS = new Attribute<>("acts", NUMBER);

    private final Database database;
    private final Table registry;
    private final BlockStore blocks;

    public ContainmentStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.blocks = new BlockStore(database);
    }

    /**
     * All rules and cases, from one read.
     *
     * @param rules the rules by name
     * @param cases the cases of all rules, also of rules that were deleted
     * @param acts the number of acts of all rules
     */
    public record Watch(List<StoredContainment> rules, List<ContainmentCase> cases, long acts) {

        public static final Watch NONE = new Watch(List.of(), List.of(), 0);

        /** Returns whether there is neither a rule nor a case. */
        public boolean isEmpty() {
            return rules.isEmpty() && cases.isEmpty();
        }
    }

    /** Returns all rules and cases as of now. Costs one query. */
    public Watch watch() {
        List<StoredContainment> rules = new ArrayList<>();
        List<ContainmentCase> cases = new ArrayList<>();
        long acts = 0;
        Query query = Query.partition(ItemKind.CONTAINMENT_RULE.partition()).consistent();
        for (Map<String, AttributeValue> item : registry.all(query).toList()) {
            String sortKey = text(item, Attributes.SK);
            if (sortKey.startsWith(ItemKind.CONTAINMENT_RULE.prefix())) {
                rules.add(readRule(item));
            } else if (!sortKey.startsWith(ItemKind.CONTAINMENT_CASE.prefix())) {
                acts = ACTS.of(item);
            } else if (!Attributes.isExpired(item, database.now())) {
                cases.add(readCase(item));
            }
        }
        return new Watch(rules, cases, acts);
    }

    /** Returns the rule of this name, as of now. */
    public Optional<StoredContainment> find(String name) {
        return registry.find(ItemKind.CONTAINMENT_RULE.key(name)).map(ContainmentStore::readRule);
    }

    /** Returns the cases of a rule, as of now. Costs one query. */
    public List<ContainmentCase> cases(String rule) {
        Query query = Query.partition(ItemKind.CONTAINMENT_CASE.partition())
                .startingWith(ItemKind.CONTAINMENT_CASE.sortKey(rule, ""))
                .consistent();
        return registry.all(query)
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(ContainmentStore::readCase)
                .toList();
    }

    /**
     * Writes a rule.
     *
     * @param before the rule as it was read; empty if there was none
     * @return {@code false} if the rule is no longer as it was read
     */
    public boolean write(StoredContainment stored, Optional<StoredContainment> before) {
        return registry.put(
                STORED.item(ItemKind.CONTAINMENT_RULE.key(stored.name()), stored),
                before.map(ContainmentStore::isAsRead).orElse(Condition.absent(Attributes.PK)));
    }

    /** Removes a rule. The next pass of the sweep removes its cases. Returns {@code false} if the rule was written since it was read. */
    public boolean remove(StoredContainment seen) {
        return registry.delete(ItemKind.CONTAINMENT_RULE.key(seen.name()), isAsRead(seen));
    }

    /** Writes changes of cases without an event. A case that changed since it was read is left to the next pass. */
    public void write(List<ContainmentChange> changes, BooleanSupplier timeLeft) {
        database.writeEach(
                changes,
                1,
                (transaction, change) -> change.after()
                        .ifPresentOrElse(after -> put(transaction, after, change.before()), () -> change.before()
                                .ifPresent(seen -> transaction.delete(registry, key(seen), isAsRead(seen)))),
                timeLeft);
    }

    /**
     * Writes that a rule would have acted, with its event.
     *
     * @return {@code false} if the case, the rule or the agent is no longer as it was read
     */
    public boolean wouldAct(StoredContainment by, ContainmentChange change, StoredAgent agent) {
        Pulse counted = agent.pulse().withOneMoreEvent();
        Transaction transaction = database.transaction();
        if (agent.archived()) {
            transaction.update(registry, PulseWrites.eventsOf(ItemKind.TOMBSTONE.key(counted.agentId()), counted));
        } else {
            transaction.update(database.pulses(), PulseWrites.events(counted, 1));
        }
        return did(transaction, by, change, counted, agent.profile().roleId());
    }

    /**
     * Writes that a rule asked an agent to drain or to restart, with its event.
     *
     * @param counted the agent with the pending drain, and with the event counted
     * @param acts the number of acts as it was read
     * @return {@code false} if another pass acted, or the case, the rule or the agent is no longer as it was read
     */
    public boolean command(StoredContainment by, ContainmentChange change, Pulse counted, String roleId, long acts) {
        Transaction transaction = database.transaction().update(database.pulses(), PulseWrites.commanded(counted));
        return did(acting(transaction, acts), by, change, counted, roleId);
    }

    private boolean did(
            Transaction transaction, StoredContainment by, ContainmentChange change, Pulse counted, String roleId) {
        ContainmentCase after = change.after().orElseThrow();
        put(transaction, after, change.before());
        transaction.check(registry, ItemKind.CONTAINMENT_RULE.key(by.name()), isAsRead(by));
        Instant at = after.done().map(Done::at).orElseThrow();
        return EventWrites.add(
                        transaction, database, List.of(ContainmentEvents.did(by.rule(), after, counted, roleId, at)))
                .commit();
    }

    /**
     * Writes that a rule blocked an agent, with the block and its event.
     *
     * @param acts the number of acts as it was read
     * @return {@code false} if another pass acted, or the case, the rule, the block or the agent is no longer as it was read
     */
    public boolean block(StoredContainment by, ContainmentChange change, StoredAgent agent, Block decided, long acts) {
        Transaction transaction = blocks.deciding(agent.pulse(), agent.profile().roleId(), agent.archived(), decided);
        put(transaction, change.after().orElseThrow(), change.before());
        transaction.check(registry, ItemKind.CONTAINMENT_RULE.key(by.name()), isAsRead(by));
        return acting(transaction, acts).commit();
    }

    private Transaction acting(Transaction transaction, long acts) {
        return transaction.update(
                registry,
                Update.upsert(ItemKind.CONTAINMENT_ACTS.key())
                        .set(ACTS, acts + 1)
                        .when(Condition.numberOrAbsent(ACTS.name(), acts)));
    }

    /**
     * Stores the agents that the guards of a rule hold back. If they begin to hold back agents, or another guard does, its event follows.
     *
     * @param roleId the role of the first of these agents; empty for none
     */
    public void holdBack(StoredContainment seen, Optional<HeldBack> held, String roleId) {
        StoredContainment after = seen.with(held);
        Transaction transaction = database.transaction()
                .put(registry, STORED.item(ItemKind.CONTAINMENT_RULE.key(seen.name()), after), isAsRead(seen));
        held.ifPresent(found -> EventWrites.add(
                transaction, database, List.of(ContainmentEvents.heldBack(seen.rule(), roleId, found))));
        // If the rule was written meanwhile, the next pass decides again.
        transaction.commit();
    }

    private void put(Transaction transaction, ContainmentCase after, Optional<ContainmentCase> before) {
        Map<String, AttributeValue> item = CASE.item(key(after), after);
        if (after.step() != Step.ACTED) {
            item.put(Attributes.EXPIRES, Values.seconds(database.now().plus(ContainmentCase.RETENTION)));
        }
        transaction.put(
                registry,
                item,
                before.map(ContainmentStore::isAsRead).orElse(Condition.absentOrExpired(database.now())));
    }

    private static Map<String, AttributeValue> key(ContainmentCase one) {
        return ItemKind.CONTAINMENT_CASE.key(one.rule(), one.agentId());
    }

    private static Condition isAsRead(ContainmentCase seen) {
        return SINCE.is(seen.since()).and(STEP.is(seen.step()));
    }

    /** Returns the condition that the rule is as it was read. A rule that was deleted and written again has another creation time. */
    private static Condition isAsRead(StoredContainment seen) {
        return VERSION.is(seen.version())
                .and(CREATED_AT.is(seen.rule().createdAt()))
                .and(seen.heldBack().map(held -> HELD_SINCE.is(held.since())).orElse(HELD_SINCE.isAbsent()));
    }

    private static Optional<AgentKind> kind(String name) {
        return WireNamed.find(AgentKind.class, name);
    }

    private static StoredContainment readRule(Map<String, AttributeValue> item) {
        ContainmentRule rule = new ContainmentRule(
                ItemKind.CONTAINMENT_RULE.afterPrefix(item),
                CREATED_AT.of(item),
                new ContainmentRule.Filter(
                        ROLES.of(item), OWNERS.of(item), PROVIDERS.of(item), CAPABILITIES.of(item), KIND.of(item)),
                new ContainmentRule.When(WHEN_REASONS.of(item), MIN_EXECUTIONS.of(item), DURATION.of(item)),
                ACTION.of(item),
                MODE.of(item),
                new ContainmentRule.Release(RELEASE_AFTER.of(item), TRIAL_CALLS.of(item)));
        Optional<HeldBack> held = HELD_SINCE.isIn(item)
                ? Optional.of(new HeldBack(HELD_BY.of(item), HELD_AGENTS.of(item), HELD_SINCE.of(item)))
                : Optional.empty();
        return new StoredContainment(rule, VERSION.of(item), held);
    }

    private static ContainmentCase readCase(Map<String, AttributeValue> item) {
        String[] names = ItemKind.CONTAINMENT_CASE.afterPrefix(item).split("#", 2);
        Optional<Done> done = DONE_AT.isIn(item)
                ? Optional.of(new Done(DONE_ACTION.of(item), OBSERVED.of(item), DONE_AT.of(item), TIMES.of(item)))
                : Optional.empty();
        return new ContainmentCase(
                names[0], names[1], CASE_ROLE.of(item), CASE_REASONS.of(item), SINCE.of(item), STEP.of(item), done);
    }
}
