package dev.agenthealth.model.event;

import dev.agenthealth.model.Timestamps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds events with their fields in the order in which they are written. Not thread-safe. */
final class EventDetail {

    private final EventType type;
    private final Severity severity;
    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** Creates a detail of a type with a fixed severity. */
    EventDetail(EventType type) {
        this(type, type.severity());
    }

    EventDetail(EventType type, Severity severity) {
        this.type = type;
        this.severity = severity;
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

    /** Adds a text unless it is empty. */
    EventDetail withText(String name, String text) {
        return text.isEmpty() ? this : with(name, (Object) text);
    }

    /** Returns the event for an agent's own log. */
    Event ofAgent(String agentId, long incarnation, long sequence, Instant at) {
        String eventId = "agent:" + agentId + ":" + sequence;
        identified(eventId).with("incarnation", incarnation).with("sequence", sequence);
        return new Event(eventId, type, agentId, sequence, at, fields);
    }

    /**
     * Returns the event for an intent's log.
     *
     * @param incarnation the incarnation of the agent
     */
    Event ofIntent(String eventId, String intentId, String agentId, long incarnation, Instant at) {
        with("timestamp", at).identified(eventId).with("incarnation", incarnation);
        return new Event(eventId, type, agentId, intentId, 0, at, fields);
    }

    /** Returns the event for the registry's own log. */
    Event ofRegistry(String eventId, Instant at) {
        with("timestamp", at).identified(eventId);
        return new Event(eventId, type, "", 0, at, fields);
    }

    private EventDetail identified(String eventId) {
        return with("severity", severity.wireName()).with("event_id", eventId);
    }
}
