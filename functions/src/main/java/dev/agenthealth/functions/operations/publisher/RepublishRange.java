package dev.agenthealth.functions.operations.publisher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A range of events to publish again.
 *
 * @param position the position in the feed after which the range starts
 * @param to the exclusive end: the time at which an event was written
 * @param types the detail types of the events; empty for all
 * @param agentId the agent of the events; empty for all
 */
record RepublishRange(String position, Instant to, Set<String> types, String agentId) {

    private static final int MAX_TYPE = 64;

    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String TYPES = "types";
    private static final String AGENT = "agent_id";
    private static final String TOKEN = "next_token";

    private static final String POSITION = "position";

    RepublishRange {
        types = Set.copyOf(types);
    }

    /**
     * Returns the range in a request: {@code from} and optionally {@code to}, {@code types} and {@code agent_id}, or the {@code next_token} of an
     * earlier response, which contains all of them.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every invalid field
     */
    static RepublishRange of(ApiRequest request, Instant now, Duration retention) {
        Fields body = request.fields();
        RepublishRange range = body.has(TOKEN) ? resumed(request, body, now) : begun(body, now, retention);
        body.refuseUnknown();
        body.check();
        return range;
    }

    /** Returns this range from another position. */
    RepublishRange from(String place) {
        return new RepublishRange(place, to, types, agentId);
    }

    /** Returns whether the range includes an event. */
    boolean includes(LoggedEvent event) {
        return (types.isEmpty() || types.contains(event.type()))
                && (agentId.isEmpty()
                        || Json.stored(event.detail()).path(AGENT).asText().equals(agentId));
    }

    /** Returns the token with which a later request continues. */
    String token(ApiRequest request) {
        ObjectNode json = Json.object();
        json.put(POSITION, position).put(TO, to.toString()).put(AGENT, agentId);
        ArrayNode array = json.putArray(TYPES);
        types.stream().sorted().forEach(array::add);
        return PageToken.of(request, Json.text(json));
    }

    private static RepublishRange begun(Fields body, Instant now, Duration retention) {
        Instant latest = now.minus(EventStore.LAG);
        body.require(FROM);
        Instant from = body.timestamp(FROM).orElse(latest);
        Instant to = body.timestamp(TO).orElse(latest);
        if (from.isBefore(now.minus(retention))) {
            body.refuse(FROM, "must not be more than " + retention.toDays() + " days ago: older events are gone");
        }
        if (to.isAfter(latest)) {
            body.refuse(
                    TO, "must be at least " + EventStore.LAG.toSeconds() + " seconds ago: later ones may be missed");
        } else if (to.isBefore(from)) {
            body.refuse(TO, "must not be before from");
        }
        Set<String> types = new TreeSet<>(body.texts(
                TYPES,
                EventType.values().length,
                MAX_TYPE,
                type -> WireNamed.find(EventType.class, type).isPresent()
                        ? Optional.empty()
                        : Optional.of("is not a detail type of this system")));
        return new RepublishRange(EventStore.beginningOf(from), to, types, body.id(AGENT));
    }

    private static RepublishRange resumed(ApiRequest request, Fields body, Instant now) {
        for (String field : List.of(FROM, TO, TYPES, AGENT)) {
            body.any(field);
            if (body.has(field)) {
                body.refuse(field, "must not stand beside next_token, which holds it");
            }
        }
        body.require(TOKEN);
        String text = PageToken.position(request, body);
        return text.isEmpty() ? new RepublishRange(EventStore.beginningOf(now), now, Set.of(), "") : read(text);
    }

    private static RepublishRange read(String text) {
        JsonNode json = Json.stored(text);
        Set<String> types = new TreeSet<>();
        json.path(TYPES).forEach(type -> types.add(type.asText()));
        return new RepublishRange(
                json.path(POSITION).asText(),
                Instant.parse(json.path(TO).asText()),
                types,
                json.path(AGENT).asText());
    }
}
