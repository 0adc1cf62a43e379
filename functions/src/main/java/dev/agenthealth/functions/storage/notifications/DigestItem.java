package dev.agenthealth.functions.storage.notifications;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.notifications.DigestStore.Waiting;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.notification.DeliveryAttempts;
import dev.agenthealth.model.operations.notification.Digest;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.SubjectState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores digests, messages, subjects and groups as items. This class owns the attribute names. */
final class DigestItem {

    private static final Codec<Digest> DIGEST = new Codec<>();
    static final Attribute<String> ID = DIGEST.always("id", TEXT, Digest::id);
    private static final Attribute<Instant> DUE_AT = DIGEST.always("due", MOMENT, Digest::dueAt);
    private static final Attribute<Integer> TOTAL = DIGEST.always("total", INTEGER, Digest::total);
    private static final Attribute<Integer> RECOVERIES = DIGEST.always("recoveries", INTEGER, Digest::recoveries);

    /** The number of open subjects, on digests and on messages that were sent as one alert. */
    static final Attribute<Integer> OPEN = DIGEST.always("open", INTEGER, Digest::open);

    static final Attribute<List<String>> ENDED = DIGEST.always("ended", TEXTS, Digest::ended);
    private static final Attribute<List<NotificationEntry>> ENTRIES = DIGEST.always(
            "entries", TEXTS.listed().as(List.of(), DigestItem::texts, DigestItem::entries), Digest::entries);

    private static final Codec<SubjectState> SUBJECT = new Codec<>();
    static final Attribute<String> ORDER = SUBJECT.always("last", TEXT, SubjectState::order);
    private static final Attribute<String> PROBLEM = SUBJECT.optional(
            "problem", TEXT, state -> state.problem().map(Severity::wireName).orElse(""));
    private static final Attribute<String> MESSAGE = SUBJECT.optional("message", TEXT, SubjectState::messageId);

    static final Attribute<Instant> NEXT_AT = new Attribute<>("next", MOMENT);
    static final Attribute<Integer> ATTEMPTS = new Attribute<>("made", INTEGER);
    static final Attribute<Instant> SINCE = new Attribute<>("since", MOMENT.or(Instant.MAX));

    private DigestItem() {}

    /** Puts a digest, or the part of it that a message shows, into an item. */
    static Map<String, AttributeValue> put(Map<String, AttributeValue> item, Digest digest) {
        return DIGEST.put(item, digest);
    }

    static Digest read(Map<String, AttributeValue> item) {
        return new Digest(
                ID.of(item),
                DUE_AT.of(item),
                ENTRIES.of(item),
                TOTAL.of(item),
                RECOVERIES.of(item),
                OPEN.of(item),
                ENDED.of(item));
    }

    /** Returns the condition that the digest is as it was read. */
    static Condition isAsRead(Digest digest) {
        return ID.is(digest.id())
                .and(TOTAL.is(digest.total()))
                .and(OPEN.is(digest.open()))
                .and(ENDED.is(digest.ended()));
    }

    static Waiting waiting(Map<String, AttributeValue> item, Instant now) {
        DeliveryAttempts attempts = new DeliveryAttempts(ATTEMPTS.of(item), SINCE.isIn(item) ? SINCE.of(item) : now);
        return new Waiting(read(item), attempts, NEXT_AT.of(item));
    }

    static Map<String, AttributeValue> put(Map<String, AttributeValue> item, SubjectState state) {
        return SUBJECT.put(item, state);
    }

    static SubjectState subject(Map<String, AttributeValue> item) {
        return new SubjectState(ORDER.of(item), WireNamed.find(Severity.class, PROBLEM.of(item)), MESSAGE.of(item));
    }

    /** Returns entries as lists of texts, which are shorter than maps with names. */
    private static List<List<String>> texts(List<NotificationEntry> entries) {
        return entries.stream().map(DigestItem::texts).toList();
    }

    private static List<NotificationEntry> entries(List<List<String>> texts) {
        return texts.stream().map(DigestItem::entry).toList();
    }

    static List<String> texts(NotificationEntry entry) {
        return List.of(
                entry.eventId(),
                entry.detailType(),
                entry.kind().wireName(),
                entry.severity().wireName(),
                entry.agentId(),
                entry.roleId(),
                entry.at().toString(),
                entry.from(),
                entry.to(),
                entry.summary(),
                entry.subject());
    }

    static NotificationEntry entry(List<String> texts) {
        return new NotificationEntry(
                texts.get(0),
                texts.get(1),
                WireNamed.find(EventKind.class, texts.get(2)).orElse(EventKind.NOTICE),
                WireNamed.find(Severity.class, texts.get(3)).orElse(Severity.INFO),
                texts.get(4),
                texts.get(5),
                Instant.parse(texts.get(6)),
                texts.get(7),
                texts.get(8),
                texts.get(9),
                texts.get(10));
    }
}
