package dev.agenthealth.model.event;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change that the registry publishes to subscribers, at least once and in no particular order.
 *
 * @param eventId the id of the event; every delivery of the event has the same id
 * @param type the type of the event
 * @param agentId the agent that changed; empty for the registry itself
 * @param intentId the intent whose log contains the event; empty for the logs of an agent and of the registry
 * @param sequence the agent's event number, which rises over all its events; 0 for the registry itself
 * @param at the moment of the detection
 * @param detail the whole detail, in the order in which it is written: texts, {@code Long}s, {@code Boolean}s, {@code BigDecimal}s with at most
 *     {@value #MAX_DECIMALS} decimals, lists of texts, and maps of all these by name
 */
public record Event(
        String eventId,
        EventType type,
        String agentId,
        String intentId,
        long sequence,
        Instant at,
        Map<String, Object> detail) {

    /** The maximum number of decimals. A number with more decimals, or with a negative scale, would be written with an exponent. */
    public static final int MAX_DECIMALS = 6;

    /** @throws IllegalArgumentException if the detail contains other types */
    public Event {
        detail = copy(detail);
    }

    /** Creates an event in an agent's own log, or in the registry's log. */
    public Event(
            String eventId, EventType type, String agentId, long sequence, Instant at, Map<String, Object> detail) {
        this(eventId, type, agentId, "", sequence, at, detail);
    }

    /** Returns whether the event belongs to an intent's log. */
    public boolean isOfIntent() {
        return !intentId.isEmpty();
    }

    /** Returns whether the event is about the registry rather than about an agent. */
    public boolean isOfRegistry() {
        return agentId.isEmpty();
    }

    private static Map<String, Object> copy(Map<?, ?> values) {
        Map<String, Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put((String) name, checked(name, value)));
        return Collections.unmodifiableMap(copy);
    }

    private static Object checked(Object name, Object value) {
        if (value instanceof Map<?, ?> values) {
            return copy(values);
        }
        if (value instanceof List<?> texts && texts.stream().allMatch(String.class::isInstance)) {
            return List.copyOf(texts);
        }
        if (value instanceof String
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof BigDecimal number && number.scale() >= 0 && number.scale() <= MAX_DECIMALS) {
            return value;
        }
        throw new IllegalArgumentException(name + " of an event's detail cannot be " + value);
    }
}
