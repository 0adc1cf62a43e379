package dev.agenthealth.functions.storage.notifications;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the part of an event's reading that rules use. This class owns the attribute names. */
final class ReceivedEventItem {

    private static final Codec<ReceivedEvent> READING = new Codec<>();
    private static final Attribute<String> TYPE =
            READING.always("type", TEXT, reading -> reading.type().wireName());
    private static final Attribute<String> PART_OF = READING.optional("part_of", TEXT, reading -> reading.partOf()
            .map(EventType::wireName)
            .orElse(""));
    private static final Attribute<String> VERDICT = READING.optional(
            "verdict", TEXT, reading -> reading.verdict().map(Verdict::wireName).orElse(""));
    private static final Attribute<NotificationEntry> ENTRY =
            READING.always("entry", TEXTS.as(null, DigestItem::texts, DigestItem::entry), ReceivedEvent::entry);
    static final Attribute<String> ORDER = READING.always("last", TEXT, ReceivedEvent::order);

    private ReceivedEventItem() {}

    static Map<String, AttributeValue> put(Map<String, AttributeValue> item, ReceivedEvent reading) {
        return READING.put(item, reading);
    }

    static ReceivedEvent read(Map<String, AttributeValue> item) {
        return new ReceivedEvent(
                WireNamed.find(EventType.class, TYPE.of(item)).orElseThrow(),
                WireNamed.find(EventType.class, PART_OF.of(item)),
                WireNamed.find(Verdict.class, VERDICT.of(item)),
                ENTRY.of(item),
                ORDER.of(item),
                Optional.empty(),
                false);
    }
}
