package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/** Sends a request's body to the queue and answers with what the queue called the message. */
public final class SendFunction implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private final Wiring wiring;

    public SendFunction(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        String messageId = wiring.sqs()
                .get()
                .sendMessage(request ->
                        request.queueUrl(wiring.environment().get("QUEUE")).messageBody(event.getBody()))
                .messageId();
        return APIGatewayV2HTTPResponse.builder()
                .withStatusCode(202)
                .withBody(messageId)
                .build();
    }
}
