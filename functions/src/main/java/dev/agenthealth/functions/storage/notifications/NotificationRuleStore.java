package dev.agenthealth.functions.storage.notifications;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.flag;
import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.notification.Collected;
import dev.agenthealth.model.notification.NotificationFilter;
import dev.agenthealth.model.notification.NotificationRule;
import dev.agenthealth.model.notification.QuietTime;
import dev.agenthealth.model.notification.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The rules of notifications and how their messages arrive. Thread-safe. */
public final class NotificationRuleStore {

    private static final String VERSION = "ver";
    private static final String CREATED_AT = "created";
    private static final String EVENTS = "events";
    private static final String ROLES = "roles";
    private static final String SEVERITIES = "severities";
    private static final String VERDICTS = "verdicts";
    private static final String GROUP_SECONDS = "group";
    private static final String RECOVERY = "recovery";
    private static final String QUIET_FROM = "quiet_from";
    private static final String QUIET_TO = "quiet_to";
    private static final String QUIET_ZONE = "quiet_zone";
    private static final String QUIET_EXCEPT = "quiet_except";
    private static final String SHOWN_TARGET = "shown";
    private static final String SEALED_TARGET = "sealed";
    private static final String LAST_DELIVERY = "delivered";
    private static final String LAST_ERROR = "error";
    private static final String FAILING_SINCE = "failing";
    private static final String DISABLED = "disabled";

    private final Database database;
    private final Table registry;

    public NotificationRuleStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** All rules by name, as of now. One query. */
    public List<StoredRule> all() {
        Query query = Query.partition(ItemKind.NOTIFICATION_RULE.partition()).consistent();
        return registry.first(NotificationRule.MAX_RULES, query).stream()
                .map(NotificationRuleStore::read)
                .toList();
    }

    /** The rule of this name, as of now. */
    public Optional<StoredRule> find(String name) {
        return registry.find(ItemKind.NOTIFICATION_RULE.key(name)).map(NotificationRuleStore::read);
    }

    /** Writes a rule; {@code false} where another version of it than the one before is stored. */
    public boolean write(StoredRule stored) {
        NotificationRule rule = stored.rule();
        Map<String, AttributeValue> item = Attributes.item(ItemKind.NOTIFICATION_RULE.key(rule.name()));
        item.put(VERSION, n(stored.version()));
        item.put(CREATED_AT, moment(rule.createdAt()));
        item.put(
                EVENTS,
                list(rule.events().stream().map(EventType::wireName).sorted().toList()));
        item.put(ROLES, list(rule.filter().roleIds().stream().sorted().toList()));
        item.put(SEVERITIES, words(rule.filter().severities()));
        item.put(VERDICTS, words(rule.filter().verdicts()));
        item.put(GROUP_SECONDS, n(rule.grouping().toSeconds()));
        item.put(RECOVERY, flag(rule.recovery()));
        rule.quiet().ifPresent(quiet -> {
            item.put(QUIET_FROM, s(quiet.from().toString()));
            item.put(QUIET_TO, s(quiet.to().toString()));
            item.put(QUIET_ZONE, s(quiet.zone().getId()));
            item.put(QUIET_EXCEPT, words(quiet.exceptSeverities()));
        });
        item.put(SHOWN_TARGET, s(stored.shownTarget()));
        item.put(SEALED_TARGET, b(stored.sealedTarget()));
        item.putAll(attributes(stored.state()));
        return registry.put(
                item,
                stored.version() == 1
                        ? Condition.absent(Attributes.PK)
                        : Condition.equal(VERSION, n(stored.version() - 1)));
    }

    /** Removes a rule and what it collected; does nothing where there is none. */
    public void remove(String name) {
        database.transaction()
                .delete(registry, ItemKind.NOTIFICATION_RULE.key(name))
                .delete(registry, ItemKind.NOTIFICATION.key(name))
                .delete(registry, ItemKind.DIGEST.key(name, Collected.SOON))
                .delete(registry, ItemKind.DIGEST.key(name, Collected.HELD))
                .commit();
    }

    /** Changes how the messages of a rule arrive; does nothing where the rule was written since it was read. */
    public void note(StoredRule rule, DeliveryState state) {
        registry.update(Update.of(ItemKind.NOTIFICATION_RULE.key(rule.name()))
                .replace(List.of(LAST_DELIVERY, LAST_ERROR, FAILING_SINCE, DISABLED), attributes(state))
                .when(Condition.equal(VERSION, n(rule.version()))));
    }

    private static Map<String, AttributeValue> attributes(DeliveryState state) {
        Map<String, AttributeValue> item = new HashMap<>();
        if (!state.lastDelivery().equals(Instant.EPOCH)) {
            item.put(LAST_DELIVERY, moment(state.lastDelivery()));
        }
        if (!state.failingSince().equals(Instant.EPOCH)) {
            item.put(FAILING_SINCE, moment(state.failingSince()));
        }
        putText(item, LAST_ERROR, state.lastError());
        putText(item, DISABLED, state.disabled());
        return item;
    }

    private static StoredRule read(Map<String, AttributeValue> item) {
        NotificationFilter filter = new NotificationFilter(
                new HashSet<>(texts(item, ROLES)),
                set(item, SEVERITIES, Severity::ofWireName),
                set(item, VERDICTS, Verdict::ofWireName));
        NotificationRule rule = new NotificationRule(
                text(item, Attributes.SK),
                moment(item, CREATED_AT, Instant.EPOCH),
                set(item, EVENTS, EventType::ofWireName),
                filter,
                Duration.ofSeconds(number(item, GROUP_SECONDS, NotificationRule.DEFAULT_GROUP_SECONDS)),
                quiet(item),
                item.get(RECOVERY).bool());
        DeliveryState state = new DeliveryState(
                moment(item, LAST_DELIVERY, Instant.EPOCH),
                text(item, LAST_ERROR),
                moment(item, FAILING_SINCE, Instant.EPOCH),
                text(item, DISABLED));
        return new StoredRule(
                rule, number(item, VERSION, 1), text(item, SHOWN_TARGET), bytes(item, SEALED_TARGET), state);
    }

    private static Optional<QuietTime> quiet(Map<String, AttributeValue> item) {
        return item.containsKey(QUIET_FROM)
                ? Optional.of(new QuietTime(
                        LocalTime.parse(text(item, QUIET_FROM)),
                        LocalTime.parse(text(item, QUIET_TO)),
                        ZoneId.of(text(item, QUIET_ZONE)),
                        set(item, QUIET_EXCEPT, Severity::ofWireName)))
                : Optional.empty();
    }

    private static AttributeValue words(Collection<? extends WireNamed> words) {
        return list(words.stream().map(WireNamed::wireName).sorted().toList());
    }

    /** The words that this version knows. */
    private static <T> Set<T> set(
            Map<String, AttributeValue> item, String name, Function<String, Optional<T>> ofWireName) {
        return texts(item, name).stream()
                .map(ofWireName)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }
}
