package dev.agenthealth.functions.storage.notifications;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import com.github.f4b6a3.ulid.UlidCreator;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a rule has noted about subjects, its two open digests, and its one message that is being sent. While a message is retried, events are
 * collected: however long a receiver is away, a rule holds three bounded items. Thread-safe.
 */
public final class DigestStore {

    private static final int MAX_ATTEMPTS = 10;

    /** How long a problem can end with a recovery, and a duplicate is recognised. */
    private static final Duration SUBJECT_RETENTION = Duration.ofDays(30);

    private static final String NEXT_AT = "next";
    private static final String ATTEMPTS = "made";
    private static final String SINCE = "since";

    private final Database database;
    private final Table registry;

    public DigestStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A message and the attempts to send it.
     *
     * @param digest what it is about
     * @param attempts those that failed
     * @param nextAt when the next one is due
     */
    public record Waiting(Digest digest, DeliveryAttempts attempts, Instant nextAt) {}

    /** What a rule has to send, as of now. */
    public record Pending(Optional<Waiting> message, Map<String, Digest> open) {}

    /**
     * Adds events to the digests of a rule, each once.
     *
     * @param events at most 40, so that they fit into one transaction
     * @throws StorageBusyException where other writers are faster too often
     */
    public void add(NotificationRule rule, List<EventReading> events) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (attempt(rule, events)) {
                return;
            }
        }
        throw new StorageBusyException("adding to a digest");
    }

    private boolean attempt(NotificationRule rule, List<EventReading> events) {
        Collected before = collected(rule.name(), events);
        Collected after = before.plus(rule, events, database.now(), DigestStore::newId);
        if (after.equals(before)) {
            return true;
        }
        Transaction transaction = database.transaction();
        changed(before.subjects(), after.subjects())
                .forEach((subject, state) -> putSubject(
                        transaction, rule.name(), subject, before.subjects().get(subject), state));
        changed(before.digests(), after.digests())
                .forEach((slot, digest) -> transaction.put(
                        registry,
                        DigestItem.put(Attributes.item(ItemKind.DIGEST.key(rule.name(), slot)), digest),
                        asRead(Optional.ofNullable(before.digests().get(slot)))));
        changed(before.groups(), after.groups())
                .forEach((messageId, open) -> writeGroup(
                        transaction,
                        rule.name(),
                        messageId,
                        open,
                        isOpen(before.groups().get(messageId))));
        return transaction.commit();
    }

    private static String newId() {
        return "msg_" + UlidCreator.getUlid();
    }

    /** What is stored of the subjects of these events, as of now; a second request where an alert for several subjects may be over. */
    private Collected collected(String rule, List<EventReading> events) {
        Instant now = database.now();
        Map<String, SubjectState> subjects = new HashMap<>();
        Map<String, Digest> digests = new HashMap<>();
        for (Map<String, AttributeValue> item : registry.getAll(keys(rule, events), true)) {
            if (text(item, Attributes.SK).startsWith(ItemKind.DIGEST.prefix())) {
                digests.put(ItemKind.DIGEST.afterPrefix(item), DigestItem.read(item));
            } else if (!Attributes.isExpired(item, now)) {
                subjects.put(ItemKind.NOTIFIED_SUBJECT.afterPrefix(item), DigestItem.subject(item));
            }
        }
        List<Map<String, AttributeValue>> keys = subjects.values().stream()
                .map(SubjectState::messageId)
                .filter(messageId -> !messageId.isEmpty())
                .distinct()
                .map(messageId -> ItemKind.NOTIFIED_GROUP.key(rule, messageId))
                .toList();
        Map<String, Integer> groups = new HashMap<>();
        for (Map<String, AttributeValue> item : registry.getAll(keys, true)) {
            groups.put(ItemKind.NOTIFIED_GROUP.afterPrefix(item), (int) number(item, DigestItem.OPEN, 0));
        }
        return new Collected(subjects, digests, groups);
    }

    private static <T> Map<String, T> changed(Map<String, T> before, Map<String, T> after) {
        Map<String, T> changed = new HashMap<>(after);
        changed.entrySet().removeAll(before.entrySet());
        return changed;
    }

    private void writeGroup(Transaction transaction, String rule, String messageId, int open, Condition asRead) {
        Map<String, AttributeValue> key = ItemKind.NOTIFIED_GROUP.key(rule, messageId);
        if (open == 0) {
            transaction.delete(registry, key, asRead);
            return;
        }
        Map<String, AttributeValue> item = Attributes.item(key, database.now().plus(SUBJECT_RETENTION));
        item.put(DigestItem.OPEN, n(open));
        transaction.put(registry, item, asRead);
    }

    private static Condition isOpen(int number) {
        return Condition.equal(DigestItem.OPEN, n(number));
    }

    /** What a rule has to send, as of now. One request. */
    public Pending pending(String rule) {
        Optional<Waiting> message = Optional.empty();
        Map<String, Digest> open = new HashMap<>();
        List<Map<String, AttributeValue>> keys = List.of(
                ItemKind.NOTIFICATION.key(rule),
                ItemKind.DIGEST.key(rule, Collected.SOON),
                ItemKind.DIGEST.key(rule, Collected.HELD));
        for (Map<String, AttributeValue> item : registry.getAll(keys, true)) {
            if (text(item, Attributes.SK).equals(ItemKind.NOTIFICATION.sortKey())) {
                message = Optional.of(waiting(item));
            } else {
                open.put(ItemKind.DIGEST.afterPrefix(item), DigestItem.read(item));
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
        Map<String, AttributeValue> item =
                DigestItem.put(Attributes.item(ItemKind.NOTIFICATION.key(rule)), digest.first());
        item.put(NEXT_AT, moment(digest.dueAt()));
        item.put(ATTEMPTS, n(0));
        Transaction transaction = database.transaction().put(registry, item, Condition.absent(Attributes.PK));
        Map<String, AttributeValue> key = ItemKind.DIGEST.key(rule, slot);
        digest.rest(newId())
                .ifPresentOrElse(
                        rest -> transaction.put(
                                registry, DigestItem.put(Attributes.item(key), rest), asRead(Optional.of(digest))),
                        () -> transaction.delete(registry, key, asRead(Optional.of(digest))));
        if (digest.isGroup()) {
            writeGroup(transaction, rule, digest.id(), digest.open(), Condition.absent(Attributes.PK));
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
                .set(NEXT_AT, moment(until))
                .setIfAbsent(SINCE, moment(message.attempts().since()))
                .when(Condition.equal(DigestItem.ID, s(message.digest().id())))
                .when(Condition.equal(NEXT_AT, moment(message.nextAt()))));
    }

    /** Postpones a message after an attempt that failed. */
    public void postpone(String rule, Waiting message, Instant nextAt) {
        registry.update(Update.of(ItemKind.NOTIFICATION.key(rule))
                .set(NEXT_AT, moment(nextAt))
                .set(ATTEMPTS, n(message.attempts().made() + 1L))
                .when(Condition.equal(DigestItem.ID, s(message.digest().id()))));
    }

    /** Removes a message that arrived or was given up. */
    public void end(String rule, Waiting message) {
        registry.delete(
                ItemKind.NOTIFICATION.key(rule),
                Condition.equal(DigestItem.ID, s(message.digest().id())));
    }

    /** Removes everything that a rule has to send. */
    public void discard(String rule) {
        registry.delete(ItemKind.NOTIFICATION.key(rule));
        registry.delete(ItemKind.DIGEST.key(rule, Collected.SOON));
        registry.delete(ItemKind.DIGEST.key(rule, Collected.HELD));
    }

    private Waiting waiting(Map<String, AttributeValue> item) {
        return new Waiting(
                DigestItem.read(item),
                new DeliveryAttempts((int) number(item, ATTEMPTS, 0), moment(item, SINCE, database.now())),
                moment(item, NEXT_AT, Instant.EPOCH));
    }

    private static List<Map<String, AttributeValue>> keys(String rule, List<EventReading> events) {
        return Stream.concat(
                        events.stream()
                                .map(event -> event.entry().subject())
                                .distinct()
                                .map(subject -> ItemKind.NOTIFIED_SUBJECT.key(rule, subject)),
                        Stream.of(ItemKind.DIGEST.key(rule, Collected.SOON), ItemKind.DIGEST.key(rule, Collected.HELD)))
                .toList();
    }

    private void putSubject(
            Transaction transaction, String rule, String subject, SubjectState before, SubjectState after) {
        Map<String, AttributeValue> item = Attributes.item(
                ItemKind.NOTIFIED_SUBJECT.key(rule, subject), database.now().plus(SUBJECT_RETENTION));
        // Expired items may still be there.
        Condition asRead = before == null
                ? Condition.absentOrExpired(database.now())
                : Condition.equal(DigestItem.ORDER, s(before.order()));
        transaction.put(registry, DigestItem.put(item, after), asRead);
    }

    private static Condition asRead(Optional<Digest> digest) {
        return digest.map(old -> Condition.equal(DigestItem.ID, s(old.id()))
                        .and(Condition.equal(DigestItem.TOTAL, n(old.total())))
                        .and(isOpen(old.open())))
                .orElse(Condition.absent(Attributes.PK));
    }
}
