package dev.agenthealth.model.event;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change that is published to subscribers, at least once and in no particular order.
 *
 * @param eventId stable: every delivery of the same event carries the same id
 * @param type what happened
 * @param agentId the agent it happened to; empty for the registry itself
 * @param intentId the intent to whose log it belongs; empty for an agent's own log and the registry's
 * @param sequence the agent's event number, which rises over all its events; 0 for the registry itself
 * @param at when it was detected
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

    /** The maximum number of decimals: with more, or with a negative scale, a number would be written with an exponent. */
    public static final int MAX_DECIMALS = 6;

    /** * @throws IllegalArgumentException if the detail holds anything else than described above */
    public Event {
        detail = copy(detail);
    }

    /** An event of an agent's own log, or of the registry. */
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
