package dev.agenthealth.functions.registry.openintent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.event.EventType;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Translates JSON of this API for OpenIntent's SDK. */
final class OpenIntentJson {

    /** The format of times. The SDK compares them with its clock, which has no zone, and reads only three or six decimals. */
    private static final DateTimeFormatter WITHOUT_ZONE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private static final List<String> TIMES =
            List.of("registered_at", "last_heartbeat_at", "acquired_at", "expires_at", "released_at", "ended_at");

    private static final String LEASE_RELEASED = "lease_released";

    /** The event types that the SDK knows; it refuses a list with another type. In the SDK, every end of a lease is a release. */
    private static final Map<String, String> EVENT_TYPES = Map.of(
            EventType.LEASE_ACQUIRED.wireName(), "lease_acquired",
            EventType.LEASE_RELEASED.wireName(), LEASE_RELEASED,
            EventType.LEASE_EXPIRED.wireName(), LEASE_RELEASED,
            EventType.LEASE_REVOKED.wireName(), LEASE_RELEASED);

    private OpenIntentJson() {}

    /** Returns an agent or a lease with times in the format of the SDK. */
    static ObjectNode translated(ObjectNode object) {
        for (String field : TIMES) {
            if (object.path(field).isTextual()) {
                object.put(field, withoutZone(object.path(field).asText()));
            }
        }
        return object;
    }

    /** Returns an event; empty if the SDK does not know its type. */
    static Optional<ObjectNode> event(JsonNode event) {
        return Optional.ofNullable(EVENT_TYPES.get(event.path("type").asText())).map(type -> {
            ObjectNode shown = Json.object();
            shown.set("id", event.path("event_id"));
            shown.set("intent_id", event.path("intent_id"));
            shown.put("event_type", type);
            shown.set("actor", event.path("agent_id"));
            shown.set("payload", event);
            return shown.put("created_at", withoutZone(event.path("timestamp").asText()));
        });
    }

    private static String withoutZone(String instant) {
        return WITHOUT_ZONE.format(Instant.parse(instant));
    }
}
