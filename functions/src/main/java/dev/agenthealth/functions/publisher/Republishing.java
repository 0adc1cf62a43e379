package dev.agenthealth.functions.publisher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.Access;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sends events to the bus once more, from the registry's own log: the stream forgets them after a day, and the publisher's dead letters name
 * places in the stream only. What is sent is what the publisher sends, with the same event ids. Thread-safe.
 */
public final class Republishing {

    /** So many events are sent for one request, and a portion more at most. */
    static final int MAX_EVENTS = 1_000;

    /** No portion is begun with later. A bus that hangs takes ten seconds more, and the API waits for thirty. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** As many as fit into one request to the bus. */
    private static final int PORTION = 10;

    private static final int STRETCH = 200;

    private final EventStore events;
    private final Supplier<EventBus> bus;
    private final Clock clock;
    private final Log log;

    public Republishing(Wiring wiring, EventStore events, Log log) {
        String name = wiring.required("EVENT_BUS");
        this.events = events;
        this.bus = () -> new EventBus(wiring.eventBridge().get(), name, log);
        this.clock = wiring.clock();
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("POST /v1/admin/events/republish", Access.ADMINISTRATOR, this::republish);
    }

    private ApiResponse republish(ApiRequest request) {
        RepublishRange range = RepublishRange.of(request.fields(), clock.instant());
        return ApiResponse.json(200, run(request.caller(), range));
    }

    /** How far a request got: what is left, where anything is, and whether it stopped because the bus refused an event. */
    private record Progress(long sent, Optional<RepublishRange> left, boolean refused) {}

    /**
     * Sends the next events of the range in the order in which they were written.
     *
     * @return how many were taken, and the token for the rest where there is any
     * @throws Problem 503 where the bus did not take one; its {@code next_token} goes on with that one
     */
    private ObjectNode run(Caller administrator, RepublishRange range) {
        Progress progress = send(range, bus.get(), clock.instant().plus(LONGEST));
        logged(administrator, range, progress);
        if (progress.refused()) {
            throw Problem.busRefused(progress.sent())
                    .with("next_token", progress.left().orElseThrow().token());
        }
        ObjectNode json = Json.object()
                .put("republished", progress.sent())
                .put("to", range.to().toString());
        progress.left().ifPresent(left -> json.put("next_token", left.token()));
        return json;
    }

    private Progress send(RepublishRange range, EventBus to, Instant until) {
        RepublishRange left = range;
        long sent = 0;
        while (true) {
            EventStore.Stretch stretch = events.written(left.position(), range.to(), STRETCH);
            List<LoggedEvent> wanted =
                    stretch.events().stream().filter(range::includes).toList();
            for (int i = 0; i < wanted.size(); i += PORTION) {
                if (sent >= MAX_EVENTS || !clock.instant().isBefore(until)) {
                    return new Progress(sent, Optional.of(left), false);
                }
                List<LoggedEvent> portion = wanted.subList(i, Math.min(i + PORTION, wanted.size()));
                int taken = taken(portion, to);
                sent += taken;
                left = taken == 0 ? left : left.from(portion.get(taken - 1).place());
                if (taken < portion.size()) {
                    return new Progress(sent, Optional.of(left), true);
                }
            }
            if (stretch.position().isEmpty()) {
                return new Progress(sent, Optional.empty(), false);
            }
            left = left.from(stretch.position());
            if (!clock.instant().isBefore(until)) {
                return new Progress(sent, Optional.of(left), false);
            }
        }
    }

    /** How many of these the bus took before it refused one. */
    private static int taken(List<LoggedEvent> portion, EventBus to) {
        List<OutboxRecord> records = portion.stream().map(OutboxRecord::of).toList();
        return to.put(records).map(records::indexOf).orElse(records.size());
    }

    private void logged(Caller administrator, RepublishRange range, Progress progress) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("by", administrator.keyId());
        fields.put("from", range.position());
        fields.put("to", range.to());
        fields.put("types", range.types());
        fields.put("agent_id", range.agentId());
        fields.put("republished", progress.sent());
        fields.put("complete", progress.left().isEmpty());
        log.info("events_republished", fields);
    }
}
