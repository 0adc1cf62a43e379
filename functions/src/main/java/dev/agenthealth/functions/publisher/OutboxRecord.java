package dev.agenthealth.functions.publisher;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * An event of the outbox that is to be published.
 *
 * @param place its place in the stream, or in the feed
 * @param type the detail type
 * @param detail the detail as JSON text
 * @param at the event's timestamp
 */
public record OutboxRecord(String place, String type, String detail, Instant at) {

    private static final Set<String> ATTRIBUTES = Set.of(EventItem.TYPE, EventItem.DETAIL, EventItem.AT);

    /**
     * The event of a stream record.
     *
     * @throws IllegalArgumentException where the record holds no event, which the filter of the stream excludes
     */
    public static OutboxRecord of(DynamodbStreamRecord record) {
        String sequenceNumber = record.getDynamodb().getSequenceNumber();
        Map<String, AttributeValue> item = record.getDynamodb().getNewImage();
        if (item == null || !item.keySet().containsAll(ATTRIBUTES)) {
            throw new IllegalArgumentException("stream record " + sequenceNumber + " holds no event");
        }
        return new OutboxRecord(
                sequenceNumber,
                item.get(EventItem.TYPE).getS(),
                item.get(EventItem.DETAIL).getS(),
                Instant.ofEpochMilli(Long.parseLong(item.get(EventItem.AT).getN())));
    }

    /** An event that is published again. */
    static OutboxRecord of(LoggedEvent event) {
        return new OutboxRecord(event.place(), event.type(), event.detail(), event.at());
    }
}
