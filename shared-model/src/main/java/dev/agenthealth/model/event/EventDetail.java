package dev.agenthealth.model.event;

import dev.agenthealth.model.Timestamps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds events: their fields in the order in which they are written. Not thread-safe. */
final class EventDetail {

    private final EventType type;
    private final Map<String, Object> fields = new LinkedHashMap<>();

    EventDetail(EventType type) {
        this.type = type;
        fields.put("type", type.wireName());
    }

    EventDetail with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    EventDetail with(String name, long number) {
        return with(name, (Object) number);
    }

    EventDetail with(String name, Instant moment) {
        return with(name, (Object) Timestamps.text(moment));
    }

    /** Adds a text; nothing where it is empty. */
    EventDetail withText(String name, String text) {
        return text.isEmpty() ? this : with(name, (Object) text);
    }

    /** The event of an agent's own log. */
    Event ofAgent(String agentId, long incarnation, long sequence, Instant at) {
        String eventId = "agent:" + agentId + ":" + sequence;
        with("event_id", eventId).with("incarnation", incarnation).with("sequence", sequence);
        return new Event(eventId, type, agentId, sequence, at, fields);
    }

    /** The event of an intent's log. */
    Event ofIntent(String eventId, String intentId, String agentId, Instant at) {
        return new Event(eventId, type, agentId, intentId, 0, at, fields);
    }

    /** The event of the registry's own log. */
    Event ofRegistry(String eventId, Instant at) {
        with("timestamp", at).with("event_id", eventId);
        return new Event(eventId, type, "", 0, at, fields);
    }
}
