package dev.agenthealth.functions.operations.publisher;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.Metrics;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;

/** Publishes events to the bus, and checks the result of each event. Thread-safe. */
public final class EventBus {

    /** The source of every event of this system. */
    static final String SOURCE = "agent-health";

    private static final int MAX_ENTRIES = 10;

    /** The maximum size of a request. The overhead of an entry besides its detail is an upper bound. */
    private static final int MAX_BYTES = 256 * 1024;

    private static final int ENTRY_OVERHEAD_BYTES = 256;

    private final EventBridgeClient eventBridge;
    private final String bus;
    private final Log log;

    public EventBus(EventBridgeClient eventBridge, String bus, Log log) {
        this.eventBridge = eventBridge;
        this.bus = bus;
        this.log = log;
    }

    /**
     * Publishes events in order. It stops at the first event that the bus rejects, so that a retry begins there.
     *
     * @return the first rejected event; empty if the bus accepted all
     */
    public Optional<LoggedEvent> put(List<LoggedEvent> events) {
        Optional<LoggedEvent> failed = Optional.empty();
        for (List<LoggedEvent> batch : batches(events)) {
            failed = putBatch(batch);
            if (failed.isPresent()) {
                break;
            }
        }
        int accepted = failed.map(events::indexOf).orElse(events.size());
        log.metrics(new Metrics().withNonZero(Metric.EVENTS_PUBLISHED, accepted));
        return failed;
    }

    private Optional<LoggedEvent> putBatch(List<LoggedEvent> batch) {
        PutEventsResponse response;
        try {
            response = eventBridge.putEvents(
                    r -> r.entries(batch.stream().map(this::entry).toList()));
        } catch (SdkException e) {
            log.failure("put_events_failed", batch.get(0).place(), e);
            return Optional.of(batch.get(0));
        }
        for (int i = 0; i < batch.size(); i++) {
            PutEventsResultEntry result = response.entries().get(i);
            if (result.errorCode() != null) {
                log.warn(
                        "event_rejected",
                        Map.of(
                                "place", batch.get(i).place(),
                                "type", batch.get(i).type(),
                                "error_code", result.errorCode()));
                log.metric(Metric.EVENTS_REJECTED, 1);
                return Optional.of(batch.get(i));
            }
        }
        return Optional.empty();
    }

    private PutEventsRequestEntry entry(LoggedEvent event) {
        return PutEventsRequestEntry.builder()
                .eventBusName(bus)
                .source(SOURCE)
                .detailType(event.type())
                .detail(event.detail())
                .time(event.at())
                .build();
    }

    private static List<List<LoggedEvent>> batches(List<LoggedEvent> events) {
        List<List<LoggedEvent>> batches = new ArrayList<>();
        List<LoggedEvent> batch = new ArrayList<>();
        int bytes = 0;
        for (LoggedEvent event : events) {
            int size = event.detail().getBytes(StandardCharsets.UTF_8).length + ENTRY_OVERHEAD_BYTES;
            if (batch.size() == MAX_ENTRIES || !batch.isEmpty() && bytes + size > MAX_BYTES) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(event);
            bytes += size;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }
}
