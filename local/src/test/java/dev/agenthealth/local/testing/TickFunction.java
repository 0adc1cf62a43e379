package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** At every tick, invokes the worker to double a number and stores the time of the tick and the worker's result. */
public final class TickFunction implements RequestHandler<ScheduledEvent, String> {

    private final Wiring wiring;

    public TickFunction(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public String handleRequest(ScheduledEvent event, Context context) {
        String answer = wiring.lambda()
                .get()
                .invoke(request -> request.functionName(wiring.environment().get("WORKER"))
                        .payload(SdkBytes.fromUtf8String("{\"number\":21,\"unknown\":true}")))
                .payload()
                .asUtf8String();
        wiring.dynamoDb().get().putItem(request -> request.tableName(
                        wiring.environment().get("TABLE"))
                .item(Map.of(
                        "pk", AttributeValue.fromS("tick"),
                        "time", AttributeValue.fromS(event.getTime().toString()),
                        "answer", AttributeValue.fromS(answer))));
        return "done";
    }
}
