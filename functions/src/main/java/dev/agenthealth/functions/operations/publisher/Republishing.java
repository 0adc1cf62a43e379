package dev.agenthealth.functions.operations.publisher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import dev.agenthealth.model.Timestamps;
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
 * Publishes events again from the registry's event log, with the same ids. The stream keeps events only for a day, and messages in the publisher's
 * dead-letter queue name positions in the stream. Thread-safe.
 */
public final class Republishing {

    /** The maximum number of events per request. The last batch may exceed it. */
    static final int MAX_EVENTS = 1_000;

    /** The time after which no batch starts. A bus that hangs takes 10 seconds more, and the API waits for 30. */
    private static final Duration MAX_RUN = Duration.ofSeconds(10);

    /** The maximum number of events in one request to the bus. */
    private static final int BATCH_SIZE = 10;

    private static final int PAGE_SIZE = 200;

    private final EventStore events;
    private final Supplier<EventBus> bus;
    private final Clock clock;
    private final Log log;

    public Republishing(Wiring wiring, EventStore events, Log log) {
        String name = wiring.get(FunctionSettings.EVENT_BUS);
        this.events = events;
        this.bus = () -> new EventBus(wiring.eventBridge().get(), name, log);
        this.clock = wiring.clock();
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("POST /v1/admin/events/republish", Access.ADMINISTRATOR, this::republish);
    }

    private ApiResponse republish(ApiRequest request) {
        RepublishRange range = RepublishRange.of(request, clock.instant(), events.retention());
        return ApiResponse.json(200, run(request, range));
    }

    /** The progress of a request: the remaining range, if any, and whether the bus refused an event. */
    private record Progress(long sent, Optional<RepublishRange> left, boolean refused) {}

    /**
     * Publishes the next events of the range, in the order in which they were written.
     *
     * @return the number of published events, and a token for the rest, if any
     * @throws ApiError 503 if the bus refused an event; its {@code next_token} continues with this event
     */
    private ObjectNode run(ApiRequest request, RepublishRange range) {
        Progress progress = send(range, bus.get(), clock.instant().plus(MAX_RUN));
        logged(request.caller(), range, progress);
        if (progress.refused()) {
            throw ApiError.busRefused(progress.sent())
                    .with("next_token", progress.left().orElseThrow().token(request));
        }
        ObjectNode json = Json.object().put("republished", progress.sent()).put("to", Timestamps.text(range.to()));
        progress.left().ifPresent(left -> json.put("next_token", left.token(request)));
        return json;
    }

    private Progress send(RepublishRange range, EventBus to, Instant until) {
        RepublishRange left = range;
        long sent = 0;
        while (true) {
            ListPage<LoggedEvent> page = events.written(left.position(), range.to(), PAGE_SIZE);
            List<LoggedEvent> wanted =
                    page.items().stream().filter(range::includes).toList();
            for (int i = 0; i < wanted.size(); i += BATCH_SIZE) {
                if (sent >= MAX_EVENTS || !clock.instant().isBefore(until)) {
                    return new Progress(sent, Optional.of(left), false);
                }
                List<LoggedEvent> batch = wanted.subList(i, Math.min(i + BATCH_SIZE, wanted.size()));
                int taken = taken(batch, to);
                sent += taken;
                left = taken == 0 ? left : left.from(batch.get(taken - 1).place());
                if (taken < batch.size()) {
                    return new Progress(sent, Optional.of(left), true);
                }
            }
            if (!page.hasMore()) {
                return new Progress(sent, Optional.empty(), false);
            }
            left = left.from(page.next());
            if (!clock.instant().isBefore(until)) {
                return new Progress(sent, Optional.of(left), false);
            }
        }
    }

    /** Returns the number of events that the bus accepted before it refused an event. */
    private static int taken(List<LoggedEvent> batch, EventBus to) {
        return to.put(batch).map(batch::indexOf).orElse(batch.size());
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
