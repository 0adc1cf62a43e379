package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
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
        return firstOf(event, "new_status", "new_state", "action");
    }

    /** Returns the reason of the event; empty if the event has none. */
    static String reason(JsonNode event) {
        return event.path("reason").asText("").replaceFirst("^re_", "re-").replace('_', ' ');
    }

    private static String firstOf(JsonNode event, String... fields) {
        return Stream.of(fields)
                .map(field -> event.path(field).asText())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }
}
