package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.publisher.EventBus;
import dev.agenthealth.functions.publisher.OutboxRecord;
import dev.agenthealth.functions.wiring.Wiring;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Publishes the outbox to the bus: the events in the registry table's stream.
 *
 * <p>Delivery is at least once. The first event that the bus rejects is reported as the failure of the batch, so that Lambda retries from
 * there; after the last retry it goes to the dead-letter queue.
 */
public final class PublisherFunction implements RequestHandler<DynamodbEvent, StreamsEventResponse> {

    private final EventBus bus;
    private final Log log;
    private final Clock clock;

    /** For Lambda. */
    public PublisherFunction() {
        this(Wiring.fromEnvironment());
    }

    public PublisherFunction(Wiring wiring) {
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.bus = new EventBus(wiring.eventBridge().get(), wiring.required("EVENT_BUS"), log);
    }

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, Context context) {
        List<OutboxRecord> events = new ArrayList<>();
        List<BatchItemFailure> unreadable = new ArrayList<>();
        for (DynamodbStreamRecord record : event.getRecords()) {
            try {
                events.add(OutboxRecord.of(record));
            } catch (IllegalArgumentException e) {
                // The events before it are published; Lambda retries from here.
                String sequenceNumber = record.getDynamodb().getSequenceNumber();
                log.failure("record_without_event", sequenceNumber, e);
                unreadable.add(new BatchItemFailure(sequenceNumber));
                break;
            }
        }
        if (!events.isEmpty()) {
            Duration lag = Duration.between(events.get(0).at(), clock.instant());
            log.metric(Metric.OUTBOX_LAG, Math.max(0, lag.toMillis()));
        }
        return new StreamsEventResponse(bus.put(events)
                .map(first -> List.of(new BatchItemFailure(first.place())))
                .orElse(unreadable));
    }
}
