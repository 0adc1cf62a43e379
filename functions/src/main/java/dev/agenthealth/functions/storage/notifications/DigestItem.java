package dev.agenthealth.functions.storage.notifications;

import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.notifications.DigestStore.Waiting;
import dev.agenthealth.model.notification.DeliveryAttempts;
import dev.agenthealth.model.notification.Digest;
import dev.agenthealth.model.notification.NotificationEntry;
import dev.agenthealth.model.notification.Severity;
import dev.agenthealth.model.notification.SubjectState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Digests, messages, noted subjects and groups as items. This class owns the attribute names. */
final class DigestItem {

    static final String ID = "id";
    private static final String TOTAL = "total";
    static final String ORDER = "last";

    /** On digests, and on the messages that were sent as one alert. */
    static final String OPEN = "open";

    private static final String DUE_AT = "due";
    private static final String ENTRIES = "entries";
    private static final String RECOVERIES = "recoveries";
    private static final String PROBLEM = "problem";
    private static final String OVER = "over";
    private static final String ALERTS = "alerts";
    private static final String MESSAGE = "message";
    static final String NEXT_AT = "next";
    static final String ATTEMPTS = "made";
    static final String SINCE = "since";

    private DigestItem() {}

    /** Puts a digest, or what a message shows of it, into an item. */
    static Map<String, AttributeValue> put(Map<String, AttributeValue> item, Digest digest) {
        item.put(ID, s(digest.id()));
        item.put(DUE_AT, moment(digest.dueAt()));
        item.put(TOTAL, n(digest.total()));
        item.put(RECOVERIES, n(digest.recoveries()));
        item.put(OPEN, n(digest.open()));
        item.put(OVER, list(digest.over()));
        item.put(ALERTS, list(digest.alerts()));
        item.put(
                ENTRIES,
                AttributeValue.fromL(
                        digest.entries().stream().map(DigestItem::entry).toList()));
        return item;
    }

    /** Returns whether an item of a rule is a digest. */
    static boolean isDigest(Map<String, AttributeValue> item) {
        return text(item, Attributes.SK).startsWith(ItemKind.DIGEST.prefix());
    }

    static Digest read(Map<String, AttributeValue> item) {
        return new Digest(
                text(item, ID),
                moment(item, DUE_AT, Instant.EPOCH),
                item.get(ENTRIES).l().stream().map(DigestItem::entry).toList(),
                (int) number(item, TOTAL, 0),
                (int) number(item, RECOVERIES, 0),
                open(item),
                texts(item, OVER),
                texts(item, ALERTS));
    }

    /** The digest is as it was read. */
    static Condition isAsRead(Digest digest) {
        return Condition.equal(ID, s(digest.id()))
                .and(Condition.equal(TOTAL, n(digest.total())))
                .and(Condition.equal(OPEN, n(digest.open())));
    }

    static Waiting waiting(Map<String, AttributeValue> item, Instant now) {
        DeliveryAttempts attempts = new DeliveryAttempts((int) number(item, ATTEMPTS, 0), moment(item, SINCE, now));
        return new Waiting(read(item), attempts, moment(item, NEXT_AT, Instant.EPOCH));
    }

    static int open(Map<String, AttributeValue> item) {
        return (int) number(item, OPEN, 0);
    }

    static Map<String, AttributeValue> put(Map<String, AttributeValue> item, SubjectState state) {
        item.put(ORDER, s(state.order()));
        Values.putText(item, PROBLEM, state.problem().map(Severity::wireName).orElse(""));
        Values.putText(item, MESSAGE, state.messageId());
        return item;
    }

    static SubjectState subject(Map<String, AttributeValue> item) {
        return new SubjectState(text(item, ORDER), Severity.ofWireName(text(item, PROBLEM)), text(item, MESSAGE));
    }

    /** A list of texts, which is shorter than a map with names. */
    private static AttributeValue entry(NotificationEntry entry) {
        return list(List.of(
                entry.eventId(),
                entry.detailType(),
                entry.severity().wireName(),
                entry.agentId(),
                entry.roleId(),
                entry.at().toString(),
                entry.from(),
                entry.to(),
                entry.summary(),
                entry.subject(),
                entry.recovery() ? "recovery" : ""));
    }

    private static NotificationEntry entry(AttributeValue stored) {
        List<String> texts = stored.l().stream().map(AttributeValue::s).toList();
        return new NotificationEntry(
                texts.get(0),
                texts.get(1),
                Severity.ofWireName(texts.get(2)).orElse(Severity.INFO),
                texts.get(3),
                texts.get(4),
                Instant.parse(texts.get(5)),
                texts.get(6),
                texts.get(7),
                texts.get(8),
                texts.get(9),
                !texts.get(10).isEmpty());
    }
}
