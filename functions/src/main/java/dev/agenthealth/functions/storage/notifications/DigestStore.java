package dev.agenthealth.functions.storage.notifications;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.notification.Collected;
import dev.agenthealth.model.notification.DeliveryAttempts;
import dev.agenthealth.model.notification.Digest;
import dev.agenthealth.model.notification.EventReading;
import dev.agenthealth.model.notification.NotificationRule;
import dev.agenthealth.model.notification.SubjectState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The subjects that a rule has noted, its two open digests, and its one message that is being sent. While a message is retried, events are
 * collected: however long a receiver is away, a rule holds three bounded items. Thread-safe.
 */
public final class DigestStore {

    private static final Condition ABSENT = Condition.absent(Attributes.PK);

    /** The time in which a problem can end with a recovery, and in which a duplicate is recognised. */
    private static final Duration SUBJECT_RETENTION = Duration.ofDays(30);

    private final Database database;
    private final Table registry;

    public DigestStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Adds events to the digests of a rule, each once.
     *
     * @param events at most 40, so that they fit into one transaction
     * @throws StorageBusyException where other writers are faster too often
     */
    public void add(NotificationRule rule, List<EventReading> events) {
        Attempts.untilDone(() -> {
            Collected before = read(rule.name(), events);
            Collected after = before.plus(rule, events, database.now(), DigestStore::newId);
            return after.equals(before) || write(rule.name(), before, after);
        });
    }

    private static String newId() {
        return "msg_" + UlidCreator.getUlid();
    }

    /** Reads what is stored of the subjects of these events, as of now; a second request where an alert for several subjects may be over. */
    private Collected read(String rule, List<EventReading> events) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>(digestKeys(rule));
        events.stream()
                .map(event -> event.entry().subject())
                .distinct()
                .forEach(subject -> keys.add(ItemKind.NOTIFIED_SUBJECT.key(rule, subject)));
        Map<String, SubjectState> subjects = new HashMap<>();
        Map<String, Digest> digests = new HashMap<>();
        for (Map<String, AttributeValue> item : registry.getAll(keys, true)) {
            if (DigestItem.isDigest(item)) {
                digests.put(ItemKind.DIGEST.afterPrefix(item), DigestItem.read(item));
            } else if (!Attributes.isExpired(item, database.now())) {
                subjects.put(ItemKind.NOTIFIED_SUBJECT.afterPrefix(item), DigestItem.subject(item));
            }
        }
        return new Collected(subjects, digests, groups(rule, subjects.values()));
    }

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

    /** Returns {@code false} where something is no longer as read. */
    private boolean write(String rule, Collected before, Collected after) {
        Transaction transaction = database.transaction();
        changed(before.subjects(), after.subjects()).forEach((subject, state) -> {
            Map<String, AttributeValue> item = expiring(ItemKind.NOTIFIED_SUBJECT.key(rule, subject));
            // Expired items may still be there.
            Condition asRead = before.subjects().containsKey(subject)
                    ? DigestItem.ORDER.is(before.subjects().get(subject).order())
                    : Condition.absentOrExpired(database.now());
            transaction.put(registry, DigestItem.put(item, state), asRead);
        });
        changed(before.digests(), after.digests()).forEach((slot, digest) -> {
            Map<String, AttributeValue> item = Attributes.item(ItemKind.DIGEST.key(rule, slot));
            Condition asRead = before.digests().containsKey(slot)
                    ? DigestItem.isAsRead(before.digests().get(slot))
                    : ABSENT;
            transaction.put(registry, DigestItem.put(item, digest), asRead);
        });
        changed(before.groups(), after.groups()).forEach((messageId, open) -> {
            Condition asRead = DigestItem.OPEN.is(before.groups().get(messageId));
            if (open == 0) {
                transaction.delete(registry, ItemKind.NOTIFIED_GROUP.key(rule, messageId), asRead);
            } else {
                transaction.put(registry, group(rule, messageId, open), asRead);
            }
        });
        return transaction.commit();
    }

    private static <T> Map<String, T> changed(Map<String, T> before, Map<String, T> after) {
        Map<String, T> changed = new HashMap<>(after);
        changed.entrySet().removeAll(before.entrySet());
        return changed;
    }

    private Map<String, AttributeValue> expiring(Map<String, AttributeValue> key) {
        return Attributes.item(key, database.now().plus(SUBJECT_RETENTION));
    }

    private Map<String, AttributeValue> group(String rule, String messageId, int open) {
        return DigestItem.OPEN.put(expiring(ItemKind.NOTIFIED_GROUP.key(rule, messageId)), open);
    }

    /**
     * A message and the attempts to send it.
     *
     * @param digest what it is about
     * @param attempts those that failed
     * @param nextAt when the next one is due
     */
    public record Waiting(Digest digest, DeliveryAttempts attempts, Instant nextAt) {}

    /** The message and the digests that a rule has to send, as of now. */
    public record Pending(Optional<Waiting> message, Map<String, Digest> open) {

        /** A digest that is to be sent now, with its slot. */
        public Optional<Map.Entry<String, Digest>> due(Instant now) {
            return open.entrySet().stream()
                    .filter(slot -> !slot.getValue().dueAt().isAfter(now))
                    .findFirst();
        }
    }

    /** Reads what a rule has to send, as of now. One request. */
    public Pending pending(String rule) {
        Optional<Waiting> message = Optional.empty();
        Map<String, Digest> open = new HashMap<>();
        List<Map<String, AttributeValue>> keys = new ArrayList<>(digestKeys(rule));
        keys.add(ItemKind.NOTIFICATION.key(rule));
        for (Map<String, AttributeValue> item : registry.getAll(keys, true)) {
            if (DigestItem.isDigest(item)) {
                open.put(ItemKind.DIGEST.afterPrefix(item), DigestItem.read(item));
            } else {
                message = Optional.of(DigestItem.waiting(item, database.now()));
            }
        }
        return new Pending(message, open);
    }

    /**
     * Makes a digest the message to be sent; what one message cannot end stays as a digest.
     *
     * @return {@code false} where it grew meanwhile, or another message is being sent
     */
    public boolean freeze(String rule, String slot, Digest digest) {
        Map<String, AttributeValue> message = Attributes.item(ItemKind.NOTIFICATION.key(rule));
        DigestItem.NEXT_AT.put(message, digest.dueAt());
        DigestItem.ATTEMPTS.put(message, 0);
        Transaction transaction = database.transaction().put(registry, DigestItem.put(message, digest.first()), ABSENT);
        Map<String, AttributeValue> key = ItemKind.DIGEST.key(rule, slot);
        Condition asRead = DigestItem.isAsRead(digest);
        digest.rest(newId())
                .ifPresentOrElse(
                        rest -> transaction.put(registry, DigestItem.put(Attributes.item(key), rest), asRead),
                        () -> transaction.delete(registry, key, asRead));
        if (digest.isGroup()) {
            transaction.put(registry, group(rule, digest.id(), digest.open()), ABSENT);
        }
        return transaction.commit();
    }

    /**
     * Takes the message for an attempt, so that no other attempt is made before {@code until}.
     *
     * @return {@code false} where another attempt has it, or it is gone
     */
    public boolean claim(String rule, Waiting message, Instant until) {
        return registry.update(Update.of(ItemKind.NOTIFICATION.key(rule))
                .set(DigestItem.NEXT_AT, until)
                .setIfAbsent(DigestItem.SINCE, message.attempts().since())
                .when(is(message))
                .when(DigestItem.NEXT_AT.is(message.nextAt())));
    }

    /** Postpones a message after an attempt that failed. */
    public void postpone(String rule, Waiting message, Instant nextAt) {
        registry.update(Update.of(ItemKind.NOTIFICATION.key(rule))
                .set(DigestItem.NEXT_AT, nextAt)
                .set(DigestItem.ATTEMPTS, message.attempts().made() + 1)
                .when(is(message)));
    }

    /** Removes a message that arrived or was given up. */
    public void end(String rule, Waiting message) {
        registry.delete(ItemKind.NOTIFICATION.key(rule), is(message));
    }

    /** Removes everything that a rule has to send. */
    public void discard(String rule) {
        registry.delete(ItemKind.NOTIFICATION.key(rule));
        digestKeys(rule).forEach(registry::delete);
    }

    private static Condition is(Waiting message) {
        return DigestItem.ID.is(message.digest().id());
    }

    private static List<Map<String, AttributeValue>> digestKeys(String rule) {
        return List.of(ItemKind.DIGEST.key(rule, Collected.SOON), ItemKind.DIGEST.key(rule, Collected.HELD));
    }
}
