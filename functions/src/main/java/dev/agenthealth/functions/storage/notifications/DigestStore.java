package dev.agenthealth.functions.storage.notifications;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.operations.notification.Collected;
import dev.agenthealth.model.operations.notification.DeliveryAttempts;
import dev.agenthealth.model.operations.notification.Digest;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.operations.notification.SubjectState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the subjects of a rule, its open digests, and its one message that is currently sent. While a message is retried, events are
 * collected into digests of bounded size. For a deleted or disabled rule, nothing is collected. Thread-safe.
 */
public final class DigestStore {

    /** The maximum number of subjects in a transaction. Each subject takes up to two writes, and the rule and four digests take some more. */
    private static final int MAX_SUBJECTS = 45;

    /** The time within which a problem can end with a recovery, and a duplicate is recognised. */
    private static final Duration SUBJECT_RETENTION = Duration.ofDays(30);

    private static final Condition ABSENT = Condition.absent(Attributes.PK);

    private final Database database;
    private final Table registry;

    public DigestStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Adds each event once to the digests of a rule. Does nothing if the rule does not exist or is disabled. Costs three requests for
     * {@value #MAX_SUBJECTS} subjects.
     *
     * @throws StorageBusyException if other writers are faster too often; some of the events may be added nevertheless
     */
    public void add(String rule, List<ReceivedEvent> events) {
        Map<String, List<ReceivedEvent>> bySubject = events.stream()
                .collect(Collectors.groupingBy(
                        event -> event.entry().subject(), LinkedHashMap::new, Collectors.toList()));
        List<List<ReceivedEvent>> subjects = List.copyOf(bySubject.values());
        for (int from = 0; from < subjects.size(); from += MAX_SUBJECTS) {
            List<ReceivedEvent> together =
                    subjects.subList(from, Math.min(from + MAX_SUBJECTS, subjects.size())).stream()
                            .flatMap(List::stream)
                            .toList();
            OptimisticUpdates.untilDone(() -> addTogether(rule, together));
        }
    }

    /** Returns {@code false} if an item was no longer as it was read. */
    private boolean addTogether(String name, List<ReceivedEvent> events) {
        List<String> subjects =
                events.stream().map(event -> event.entry().subject()).distinct().toList();
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items = read(name, subjects);
        Optional<StoredRule> rule = Optional.ofNullable(items.get(ItemKind.NOTIFICATION_RULE.key(name)))
                .map(NotificationRuleStore::read)
                .filter(stored -> !stored.state().isDisabled());
        if (rule.isEmpty()) {
            return true;
        }
        Map<String, SubjectState> noted = new HashMap<>();
        for (String subject : subjects) {
            Optional.ofNullable(items.get(ItemKind.NOTIFIED_SUBJECT.key(name, subject)))
                    .filter(item -> !Attributes.isExpired(item, database.now()))
                    .ifPresent(item -> noted.put(subject, DigestItem.subject(item)));
        }
        Map<String, Digest> digests = new HashMap<>();
        for (String slot : Collected.SLOTS) {
            Optional.ofNullable(items.get(ItemKind.DIGEST.key(name, slot)))
                    .ifPresent(item -> digests.put(slot, DigestItem.read(item)));
        }
        Collected before = new Collected(noted, digests, groups(name, noted.values()));
        Collected after = before.plus(rule.get().rule(), events, database.now(), DigestStore::newId);
        return after.equals(before) || write(rule.get(), before, after);
    }

    /** Reads the rule, its digests and its subjects, as of now, by key. */
    private Map<Map<String, AttributeValue>, Map<String, AttributeValue>> read(String rule, List<String> subjects) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        keys.add(ItemKind.NOTIFICATION_RULE.key(rule));
        Collected.SLOTS.forEach(slot -> keys.add(ItemKind.DIGEST.key(rule, slot)));
        subjects.forEach(subject -> keys.add(ItemKind.NOTIFIED_SUBJECT.key(rule, subject)));
        return registry.getAll(keys, true).stream().collect(Collectors.toMap(Attributes::keyOf, Function.identity()));
    }

    /** Reads the groups in which these subjects were reported. Sends no request if there is no group. */
    private Map<String, Integer> groups(String rule, Collection<SubjectState> subjects) {
        List<Map<String, AttributeValue>> keys = subjects.stream()
                .map(SubjectState::messageId)
                .filter(messageId -> !messageId.isEmpty())
                .distinct()
                .map(messageId -> ItemKind.NOTIFIED_GROUP.key(rule, messageId))
                .toList();
        return registry.getAll(keys, true).stream()
                .collect(Collectors.toMap(ItemKind.NOTIFIED_GROUP::afterPrefix, DigestItem.OPEN::of));
    }

    private boolean write(StoredRule rule, Collected before, Collected after) {
        String name = rule.name();
        Transaction transaction = database.transaction()
                .check(registry, ItemKind.NOTIFICATION_RULE.key(name), NotificationRuleStore.collectsAs(rule));
        changed(before.subjects(), after.subjects()).forEach((subject, state) -> {
            // The table may still contain expired items.
            Condition asRead = Optional.ofNullable(before.subjects().get(subject))
                    .map(noted -> DigestItem.ORDER.is(noted.order()))
                    .orElse(Condition.absentOrExpired(database.now()));
            transaction.put(
                    registry, DigestItem.put(expiring(ItemKind.NOTIFIED_SUBJECT.key(name, subject)), state), asRead);
        });
        changed(before.digests(), after.digests()).forEach((slot, digest) -> {
            Condition asRead = Optional.ofNullable(before.digests().get(slot))
                    .map(DigestItem::isAsRead)
                    .orElse(ABSENT);
            transaction.put(registry, digest(name, slot, digest), asRead);
        });
        changed(before.groups(), after.groups()).forEach((messageId, open) -> {
            Condition asRead = DigestItem.OPEN.is(before.groups().get(messageId));
            if (open == 0) {
                transaction.delete(registry, ItemKind.NOTIFIED_GROUP.key(name, messageId), asRead);
            } else {
                transaction.put(registry, group(name, messageId, open), asRead);
            }
        });
        return transaction.commit();
    }

    private static <T> Map<String, T> changed(Map<String, T> before, Map<String, T> after) {
        Map<String, T> changed = new HashMap<>(after);
        changed.entrySet().removeAll(before.entrySet());
        return changed;
    }

    /** Returns the item of a digest. A message that does not arrive is abandoned long before the item expires. */
    private Map<String, AttributeValue> digest(String rule, String slot, Digest digest) {
        return DigestItem.put(expiring(ItemKind.DIGEST.key(rule, slot)), digest);
    }

    private Map<String, AttributeValue> group(String rule, String messageId, int open) {
        return DigestItem.OPEN.put(expiring(ItemKind.NOTIFIED_GROUP.key(rule, messageId)), open);
    }

    private Map<String, AttributeValue> expiring(Map<String, AttributeValue> key) {
        return Attributes.item(key, database.now().plus(SUBJECT_RETENTION));
    }

    private static String newId() {
        return "msg_" + UlidCreator.getUlid();
    }

    /**
     * A message and the attempts to send it.
     *
     * @param digest the content of the message
     * @param attempts the failed attempts
     * @param nextAt when the next attempt is due
     */
    public record Waiting(Digest digest, DeliveryAttempts attempts, Instant nextAt) {}

    /** Returns the message of a rule that is currently sent, as of now. Costs one request. */
    public Optional<Waiting> message(String rule) {
        return registry.find(ItemKind.NOTIFICATION.key(rule)).map(item -> DigestItem.waiting(item, database.now()));
    }

    /** Returns the open digests of a rule by slot, as of now. Costs one query. */
    public Map<String, Digest> open(String rule) {
        Query digests = Query.partition(ItemKind.DIGEST.partition(rule))
                .startingWith(ItemKind.DIGEST.prefix())
                .consistent();
        return registry.all(digests).collect(Collectors.toMap(ItemKind.DIGEST::afterPrefix, DigestItem::read));
    }

    /**
     * Makes a digest the message to send. The part that does not fit into one message stays as a digest.
     *
     * @return {@code false} if the digest grew since it was read, another message is being sent, or the rule is no longer in force
     */
    public boolean freeze(StoredRule rule, String slot, Digest digest) {
        String name = rule.name();
        Map<String, AttributeValue> message = Attributes.item(ItemKind.NOTIFICATION.key(name));
        DigestItem.NEXT_AT.put(message, digest.dueAt());
        DigestItem.ATTEMPTS.put(message, 0);
        Transaction transaction = database.transaction()
                .check(registry, ItemKind.NOTIFICATION_RULE.key(name), NotificationRuleStore.collectsAs(rule))
                .put(registry, DigestItem.put(message, digest.first()), ABSENT);
        Condition asRead = DigestItem.isAsRead(digest);
        digest.rest(newId())
                .ifPresentOrElse(
                        rest -> transaction.put(registry, digest(name, slot, rest), asRead),
                        () -> transaction.delete(registry, ItemKind.DIGEST.key(name, slot), asRead));
        if (digest.isGroup()) {
            transaction.put(registry, group(name, digest.id(), digest.open()), ABSENT);
        }
        return transaction.commit();
    }

    /**
     * Claims the message for an attempt, so that no other attempt is made before {@code until}.
     *
     * @return {@code false} if another attempt has claimed the message, or the message is gone
     */
    public boolean claim(String rule, Waiting message, Instant until) {
        return registry.update(Update.of(ItemKind.NOTIFICATION.key(rule))
                .set(DigestItem.NEXT_AT, until)
                .setIfAbsent(DigestItem.SINCE, message.attempts().since())
                .when(is(message))
                .when(DigestItem.NEXT_AT.is(message.nextAt())));
    }

    /** Postpones a message after a failed attempt. */
    public void postpone(String rule, Waiting message, Instant nextAt) {
        registry.update(Update.of(ItemKind.NOTIFICATION.key(rule))
                .set(DigestItem.NEXT_AT, nextAt)
                .set(DigestItem.ATTEMPTS, message.attempts().made() + 1)
                .when(is(message)));
    }

    /** Removes a message that arrived or was abandoned. */
    public void end(String rule, Waiting message) {
        registry.delete(ItemKind.NOTIFICATION.key(rule), is(message));
    }

    private static Condition is(Waiting message) {
        return DigestItem.ID.is(message.digest().id());
    }
}
