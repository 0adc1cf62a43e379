package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.stream.Stream;

/** Describes an event in the words of its fields. */
final class EventText {

    private EventText() {}

    /** Returns the subject of an event: its agent, role or provider, or the registry. */
    static String subject(JsonNode event) {
        String subject = firstOf(event, "agent_id", "role_id", "provider_id");
        return subject.isEmpty() ? "registry" : subject;
    }

    /** Returns the kind of change, such as "lifecycle". */
    static String kind(JsonNode event) {
        return event.path("type")
                .asText()
                .replaceFirst("^(agent|registry)\\.", "")
                .replace('_', ' ')
                .replace('.', ' ');
    }

    /** Returns the state after the event; empty if the event has none. */
    static String state(JsonNode event) {
        return firstOf(event, "new_status", "new_state", "action", "level");
    }

    /** Returns the reason of the event; empty if the event has none. */
    static String reason(JsonNode event) {
        return event.has("maximum")
                ? used(event)
                : event.path("reason").asText("").replaceFirst("^re_", "re-").replace('_', ' ');
    }

    /** Returns the used part of a limit, such as "12,900 of 10,000 tokens per hour". */
    private static String used(JsonNode event) {
        return String.format(
                Locale.ROOT,
                "%,d of %,d %s",
                event.path("used").asLong(),
                event.path("maximum").asLong(),
                event.path("limit").asText().replace('_', ' '));
    }

    private static String firstOf(JsonNode event, String... fields) {
        return Stream.of(fields)
                .map(field -> event.path(field).asText())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }
}
