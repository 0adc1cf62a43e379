package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * Sends each record's key to the bus, with its {@code color}, which is red where it has none. A record with {@code fail} is reported as failed, one with {@code throw} makes the whole
 * batch fail, both for as long as the item {@code trouble} is in the table.
 */
public final class StreamFunction implements RequestHandler<DynamodbEvent, StreamsEventResponse> {

    private final Wiring wiring;

    public StreamFunction(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, Context context) {
        boolean trouble = isTroubled();
        List<BatchItemFailure> failures = new ArrayList<>();
        for (DynamodbStreamRecord change : event.getRecords()) {
            Map<String, AttributeValue> item = change.getDynamodb().getNewImage();
            if (trouble && item.containsKey("throw")) {
                throw new IllegalStateException("told to throw");
            }
        }
        for (DynamodbStreamRecord change : event.getRecords()) {
            Map<String, AttributeValue> item = change.getDynamodb().getNewImage();
            if (trouble && item.containsKey("fail")) {
                failures.add(new BatchItemFailure(change.getDynamodb().getSequenceNumber()));
                break;
            }
            send(
                    item.get("pk").getS(),
                    item.containsKey("color") ? item.get("color").getS() : "red");
        }
        return new StreamsEventResponse(failures);
    }

    private boolean isTroubled() {
        return wiring.dynamoDb()
                .get()
                .getItem(request -> request.tableName(wiring.environment().get("TABLE"))
                        .key(Map.of(
                                "pk", software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS("trouble"))))
                .hasItem();
    }

    private void send(String key, String color) {
        PutEventsRequestEntry entry = PutEventsRequestEntry.builder()
                .eventBusName(wiring.environment().get("BUS"))
                .source("test")
                .detailType("thing")
                .detail("{\"key\":\"" + key + "\",\"color\":\"" + color + "\"}")
                .build();
        wiring.eventBridge().get().putEvents(request -> request.entries(entry));
    }
}
