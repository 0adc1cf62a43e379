package dev.agenthealth.model.event;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that subscribers are told, at least once and in no particular order.
 *
 * @param eventId stable: every delivery of the same event carries the same id
 * @param type what happened
 * @param agentId the agent it happened to; empty for the registry itself
 * @param intentId the intent in whose log it stands; empty for an agent's own log and the registry's
 * @param sequence the agent's event number, which rises over all its events; 0 for the registry itself
 * @param at when it was detected
 * @param detail the whole detail, in the order in which it is written: texts, numbers and lists of texts
 */
public record Event(
        String eventId,
        EventType type,
        String agentId,
        String intentId,
        long sequence,
        Instant at,
        Map<String, Object> detail) {

    public Event {
        detail = Collections.unmodifiableMap(new LinkedHashMap<>(detail));
    }

    /** An event of an agent's own log, or of the registry. */
    public Event(
            String eventId, EventType type, String agentId, long sequence, Instant at, Map<String, Object> detail) {
        this(eventId, type, agentId, "", sequence, at, detail);
    }

    /** Whether the event stands in an intent's log. */
    public boolean isOfIntent() {
        return !intentId.isEmpty();
    }

    /** Whether the event is about the registry rather than about an agent. */
    public boolean isOfRegistry() {
        return agentId.isEmpty();
    }
}
