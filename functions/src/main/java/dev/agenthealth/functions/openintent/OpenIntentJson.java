package dev.agenthealth.functions.openintent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.json.UnreadableJsonException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** JSON of this API as OpenIntent's SDK reads and writes it. */
final class OpenIntentJson {

    /** The SDK compares times with its clock's, which has no zone, and reads three or six decimals only. */
    private static final DateTimeFormatter WITHOUT_ZONE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private static final List<String> AGENT_TIMES = List.of("registered_at", "last_heartbeat_at");
    private static final List<String> LEASE_TIMES = List.of("acquired_at", "expires_at", "released_at", "ended_at");

    private static final String CLIENT_TIMESTAMP = "client_timestamp";
    private static final String LEASE_RELEASED = "lease_released";

    /** The SDK refuses a list with a type that it does not know. To it, every end of a lease is a release. */
    private static final Map<String, String> EVENT_TYPES = Map.of(
            "lease.acquired", "lease_acquired",
            "lease.released", LEASE_RELEASED,
            "lease.expired", LEASE_RELEASED,
            "lease.revoked", LEASE_RELEASED);

    private OpenIntentJson() {}

    /** The body after a change; a body that is no JSON object as it is, since the route refuses it. */
    static String changed(String body, Consumer<ObjectNode> change) {
        try {
            if (Json.received(body) instanceof ObjectNode object) {
                change.accept(object);
                return Json.text(object);
            }
        } catch (UnreadableJsonException e) {
            return body;
        }
        return body;
    }

    /** A heartbeat that says no time: the drift of its clock is unknown. */
    static ApiRequest heartbeat(ApiRequest request) {
        return request.withBody(
                changed(request.body(), body -> body.putIfAbsent(CLIENT_TIMESTAMP, TextNode.valueOf("unknown"))));
    }

    /** The SDK does not send what the warnings are about. */
    static ApiResponse withoutWarnings(ApiResponse response) {
        ObjectNode answer = object(response);
        answer.remove("warnings");
        return response.withJson(answer);
    }

    static ApiResponse ofAgent(ApiResponse response) {
        return response.withJson(withTimes(object(response), AGENT_TIMES));
    }

    /** A bare array. */
    static ApiResponse ofAgents(ApiResponse response) {
        ArrayNode agents = (ArrayNode) object(response).path("agents");
        agents.forEach(agent -> withTimes((ObjectNode) agent, AGENT_TIMES));
        return response.withJson(agents);
    }

    static ApiResponse ofLease(ApiResponse response) {
        return response.withJson(withTimes(object(response), LEASE_TIMES));
    }

    static ApiResponse ofLeases(ApiResponse response) {
        ObjectNode answer = object(response);
        answer.path("leases").forEach(lease -> withTimes((ObjectNode) lease, LEASE_TIMES));
        answer.remove("next_token");
        return response.withJson(answer);
    }

    /**
     * The first events of a type.
     *
     * @param type as the SDK names it; empty for all
     */
    static ApiResponse ofEvents(ApiResponse response, String type, int limit) {
        ObjectNode answer = Json.object();
        ArrayNode events = answer.putArray("events");
        for (JsonNode event : object(response).path("events")) {
            String known = EVENT_TYPES.getOrDefault(event.path("type").asText(), "");
            if (events.size() < limit && !known.isEmpty() && (type.isEmpty() || type.equals(known))) {
                ObjectNode shown = events.addObject();
                shown.set("id", event.path("event_id"));
                shown.set("intent_id", event.path("intent_id"));
                shown.put("event_type", known);
                shown.set("actor", event.path("agent_id"));
                shown.set("payload", event);
                shown.put("created_at", withoutZone(event.path("timestamp").asText()));
            }
        }
        return response.withJson(answer);
    }

    private static ObjectNode withTimes(ObjectNode object, List<String> fields) {
        for (String field : fields) {
            if (object.path(field).isTextual()) {
                object.put(field, withoutZone(object.path(field).asText()));
            }
        }
        return object;
    }

    private static String withoutZone(String instant) {
        return WITHOUT_ZONE.format(Instant.parse(instant));
    }

    private static ObjectNode object(ApiResponse response) {
        return (ObjectNode) Json.stored(response.body());
    }
}
