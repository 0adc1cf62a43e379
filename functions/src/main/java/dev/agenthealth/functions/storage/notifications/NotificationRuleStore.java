package dev.agenthealth.functions.storage.notifications;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.SECONDS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT_SET;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

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
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.operations.notification.Collected;
import dev.agenthealth.model.operations.notification.NotificationFilter;
import dev.agenthealth.model.operations.notification.NotificationRule;
import dev.agenthealth.model.operations.notification.QuietTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the rules of notifications and the state of their deliveries. Thread-safe. */
public final class NotificationRuleStore {

    private static final Codec<StoredRule> STORED = new Codec<>();
    private static final Codec<NotificationRule> RULE = STORED.part(StoredRule::rule);
    private static final Codec<NotificationFilter> FILTER = RULE.part(NotificationRule::filter);
    private static final Codec<QuietTime> QUIET = RULE.optionalPart(NotificationRule::quiet);
    private static final Codec<DeliveryState> STATE = STORED.part(StoredRule::state);
    private static final AttributeType<LocalTime> TIME =
            TEXT.as(LocalTime.MIDNIGHT, LocalTime::toString, LocalTime::parse);
    private static final AttributeType<Set<Severity>> SEVERITY_SET = AttributeType.wireNames(Severity.class);

    private static final Attribute<Long> VERSION = STORED.always("ver", NUMBER.or(1L), StoredRule::version);
    private static final Attribute<Instant> CREATED_AT = RULE.always("created", MOMENT, NotificationRule::createdAt);
    private static final Attribute<Set<EventType>> EVENTS =
            RULE.always("events", AttributeType.wireNames(EventType.class), NotificationRule::events);
    private static final Attribute<Set<String>> ROLES = FILTER.always("roles", TEXT_SET, NotificationFilter::roleIds);
    private static final Attribute<Set<Severity>> SEVERITIES =
            FILTER.always("severities", SEVERITY_SET, NotificationFilter::severities);
    private static final Attribute<Set<Verdict>> VERDICTS =
            FILTER.always("verdicts", AttributeType.wireNames(Verdict.class), NotificationFilter::verdicts);
    private static final Attribute<Duration> GROUPING = RULE.always(
            "group",
            SECONDS.or(Duration.ofSeconds(NotificationRule.DEFAULT_GROUP_SECONDS)),
            NotificationRule::grouping);
    private static final Attribute<Duration> AFTER = RULE.optional("after", SECONDS, NotificationRule::after);
    private static final Attribute<Boolean> RECOVERY = RULE.always("recovery", FLAG, NotificationRule::recovery);
    private static final Attribute<LocalTime> QUIET_FROM = QUIET.always("quiet_from", TIME, QuietTime::from);
    private static final Attribute<LocalTime> QUIET_TO = QUIET.always("quiet_to", TIME, QuietTime::to);
    private static final Attribute<ZoneId> QUIET_ZONE =
            QUIET.always("quiet_zone", TEXT.as(ZoneOffset.UTC, ZoneId::getId, ZoneId::of), QuietTime::zone);
    private static final Attribute<Set<Severity>> QUIET_EXCEPT =
            QUIET.always("quiet_except", SEVERITY_SET, QuietTime::exceptSeverities);
    private static final Attribute<String> SHOWN_TARGET = STORED.always("shown", TEXT, StoredRule::shownTarget);
    private static final Attribute<byte[]> SEALED_TARGET = STORED.always("sealed", BYTES, StoredRule::sealedTarget);
    private static final Attribute<Instant> LAST_DELIVERY =
            STATE.optional("delivered", MOMENT, DeliveryState::lastDelivery);
    private static final Attribute<String> LAST_ERROR = STATE.optional("error", TEXT, DeliveryState::lastError);
    private static final Attribute<Instant> FAILING_SINCE =
            STATE.optional("failing", MOMENT, DeliveryState::failingSince);
    private static final Attribute<String> DISABLED = STATE.optional("disabled", TEXT, DeliveryState::disabled);

    private final Database database;
    private final Table registry;

    public NotificationRuleStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns all rules by name, as of now. Costs one query. */
    public List<StoredRule> all() {
        Query query = Query.partition(ItemKind.NOTIFICATION_RULE.partition()).consistent();
        return registry.all(query).map(NotificationRuleStore::read).toList();
    }

    /** Returns the rule of this name, as of now. */
    public Optional<StoredRule> find(String name) {
        return registry.find(ItemKind.NOTIFICATION_RULE.key(name)).map(NotificationRuleStore::read);
    }

    /**
     * Writes a rule.
     *
     * @param before the rule as it was read; empty if there was none
     * @return {@code false} if the rule is no longer as it was read
     */
    public boolean write(StoredRule stored, Optional<StoredRule> before) {
        return registry.put(
                STORED.item(ItemKind.NOTIFICATION_RULE.key(stored.name()), stored),
                before.map(NotificationRuleStore::isAsRead).orElse(Condition.absent(Attributes.PK)));
    }

    /**
     * Removes a rule and its unsent messages. From then on nothing is collected for it. Returns {@code false} if the rule was written since
     * it was read.
     */
    public boolean remove(StoredRule seen) {
        return discarding(seen.name())
                .delete(registry, ItemKind.NOTIFICATION_RULE.key(seen.name()), isAsRead(seen))
                .commit();
    }

    /** Disables a rule and removes its unsent messages; does nothing if the rule was written since it was read. */
    public void disable(StoredRule rule, DeliveryState state) {
        discarding(rule.name()).update(registry, noting(rule, state)).commit();
    }

    private Transaction discarding(String name) {
        Transaction transaction = database.transaction().delete(registry, ItemKind.NOTIFICATION.key(name));
        Collected.SLOTS.forEach(slot -> transaction.delete(registry, ItemKind.DIGEST.key(name, slot)));
        return transaction;
    }

    /** Changes the delivery state of a rule; does nothing if the rule was written since it was read. */
    public void note(StoredRule rule, DeliveryState state) {
        registry.update(noting(rule, state));
    }

    private static Update noting(StoredRule rule, DeliveryState state) {
        return Update.of(ItemKind.NOTIFICATION_RULE.key(rule.name()))
                .replace(STATE, state)
                .when(isAsRead(rule));
    }

    /**
     * Returns the condition that the rule is as it was read, apart from its delivery state. A rule that was deleted and written again has
     * another creation time.
     */
    private static Condition isAsRead(StoredRule rule) {
        return VERSION.is(rule.version()).and(CREATED_AT.is(rule.rule().createdAt()));
    }

    /** Returns the condition that the rule is as it was read, and has not been disabled since. */
    static Condition collectsAs(StoredRule rule) {
        return isAsRead(rule).and(Condition.absent(DISABLED.name()));
    }

    static StoredRule read(Map<String, AttributeValue> item) {
        NotificationRule rule = new NotificationRule(
                text(item, Attributes.SK),
                CREATED_AT.of(item),
                EVENTS.of(item),
                new NotificationFilter(ROLES.of(item), SEVERITIES.of(item), VERDICTS.of(item)),
                new NotificationRule.Timing(AFTER.of(item), GROUPING.of(item), quiet(item)),
                RECOVERY.of(item));
        DeliveryState state = new DeliveryState(
                LAST_DELIVERY.of(item), LAST_ERROR.of(item), FAILING_SINCE.of(item), DISABLED.of(item));
        return new StoredRule(rule, VERSION.of(item), SHOWN_TARGET.of(item), SEALED_TARGET.of(item), state);
    }

    private static Optional<QuietTime> quiet(Map<String, AttributeValue> item) {
        return QUIET_FROM.isIn(item)
                ? Optional.of(new QuietTime(
                        QUIET_FROM.of(item), QUIET_TO.of(item), QUIET_ZONE.of(item), QUIET_EXCEPT.of(item)))
                : Optional.empty();
    }
}
