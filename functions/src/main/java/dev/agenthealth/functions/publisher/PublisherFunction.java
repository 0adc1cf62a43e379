package dev.agenthealth.functions.publisher;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.snapshot.RuntimeJson;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.wiring.Wiring;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends the outbox to the bus: reads the registry table's stream, which a filter has reduced to new events.
 *
 * <p>What the bus does not take is reported as the batch's failure, so that Lambda repeats from there; after its last try it lands in the
 * dead-letter queue. Delivery is at least once.
 */
public final class PublisherFunction implements RequestHandler<DynamodbEvent, StreamsEventResponse> {

    /** A record as the stream has it, of an event that there is not. */
    private static final String REHEARSED =
            """
            {"Records":[{"eventID":"0","eventName":"INSERT","eventSource":"aws:dynamodb","dynamodb":{
              "ApproximateCreationDateTime":1767225600.0,"SequenceNumber":"0","StreamViewType":"NEW_IMAGE",
              "Keys":{"pk":{"S":"nobody"}},"NewImage":{"%s":{"S":"nothing"},"%s":{"S":"{}"},"%s":{"N":"0"}}}}]}
            """
                    .formatted(EventItem.TYPE, EventItem.DETAIL, EventItem.AT);

    private final EventBus bus;
    private final Log log;
    private final Clock clock;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /** For Lambda. */
    public PublisherFunction() {
        this(Wiring.fromEnvironment());
    }

    public PublisherFunction(Wiring wiring) {
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.bus = new EventBus(wiring.eventBridge().get(), wiring.required("EVENT_BUS"), log);
        this.priming = Priming.registered(
                wiring,
                log,
                new Priming.Part("event", PublisherFunction::rehearseEvent),
                new Priming.Part("bus", bus::rehearse));
    }

    private static void rehearseEvent() {
        RuntimeJson.event(DynamodbEvent.class, REHEARSED).getRecords().forEach(OutboxRecord::of);
        RuntimeJson.bytes(StreamsEventResponse.class, new StreamsEventResponse(List.of()));
    }

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, Context context) {
        List<OutboxRecord> events = new ArrayList<>();
        List<BatchItemFailure> unreadable = new ArrayList<>();
        for (DynamodbStreamRecord record : event.getRecords()) {
            try {
                events.add(OutboxRecord.of(record));
            } catch (IllegalArgumentException e) {
                // What comes before it is sent all the same; Lambda repeats from here.
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
