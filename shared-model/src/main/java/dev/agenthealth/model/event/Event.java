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
 * @param sequence the agent's event number, which rises over all its events; 0 for the registry itself
 * @param at when it was detected
 * @param detail the whole detail, in the order in which it is written: texts, numbers and lists of texts
 */
public record Event(
        String eventId, EventType type, String agentId, long sequence, Instant at, Map<String, Object> detail) {

    public Event {
        detail = Collections.unmodifiableMap(new LinkedHashMap<>(detail));
    }

    /** Whether the event is about the registry rather than about an agent. */
    public boolean isOfRegistry() {
        return agentId.isEmpty();
    }
}
