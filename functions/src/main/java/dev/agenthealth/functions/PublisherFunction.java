package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.agenthealth.functions.operations.publisher.EventBus;
import dev.agenthealth.functions.operations.publisher.MaintenanceMark;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Publishes the outbox, which is the stream of the registry table, to the event bus.
 *
 * <p>Delivery is at least once. The function reports the first event that the bus rejects as the failure of the batch, and Lambda retries
 * from that event. After the last retry the event goes to the dead-letter queue.
 */
public final class PublisherFunction implements RequestHandler<DynamodbEvent, StreamsEventResponse> {

    private static final Set<String> ATTRIBUTES = Set.of(EventItem.TYPE, EventItem.DETAIL, EventItem.AT);

    private final EventBus bus;
    private final MaintenanceMark maintenance;
    private final Log log;
    private final Clock clock;

    /** Lambda calls this constructor. */
    public PublisherFunction() {
        this(Wiring.fromEnvironment());
    }

    public PublisherFunction(Wiring wiring) {
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.bus = new EventBus(wiring.eventBridge().get(), wiring.get(FunctionSettings.EVENT_BUS), log);
        this.maintenance = new MaintenanceMark(Database.of(wiring), clock, log);
    }

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, Context context) {
        List<LoggedEvent> events = new ArrayList<>();
        List<BatchItemFailure> unreadable = new ArrayList<>();
        for (DynamodbStreamRecord record : event.getRecords()) {
            try {
                events.add(event(record));
            } catch (IllegalArgumentException e) {
                // All events before this one are published; Lambda retries from here.
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
        return new StreamsEventResponse(bus.put(maintenance.on(events))
                .map(first -> List.of(new BatchItemFailure(first.place())))
                .orElse(unreadable));
    }

    /**
     * Returns the event of a stream record.
     *
     * @throws IllegalArgumentException if the record holds no event; the filter of the stream excludes such records
     */
    private static LoggedEvent event(DynamodbStreamRecord record) {
        String sequenceNumber = record.getDynamodb().getSequenceNumber();
        Map<String, AttributeValue> item = record.getDynamodb().getNewImage();
        if (item == null || !item.keySet().containsAll(ATTRIBUTES)) {
            throw new IllegalArgumentException("stream record " + sequenceNumber + " holds no event");
        }
        return new LoggedEvent(
                sequenceNumber,
                text(item, EventItem.TYPE),
                text(item, EventItem.DETAIL),
                Instant.ofEpochMilli(Long.parseLong(item.get(EventItem.AT).getN())));
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return Optional.ofNullable(item.get(name).getS())
                .orElseThrow(() -> new IllegalArgumentException("the attribute " + name + " is no text"));
    }
}
