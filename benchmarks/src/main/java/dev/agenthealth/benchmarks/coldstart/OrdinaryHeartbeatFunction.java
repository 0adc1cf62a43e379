package dev.agenthealth.benchmarks.coldstart;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The heartbeat function as it is usually built: an AWS SDK client with all defaults, including its HTTP client, and no priming. */
public final class OrdinaryHeartbeatFunction
        implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private final HeartbeatFunction function = new HeartbeatFunction(
            Wiring.of(System.getenv()).dynamoDb(DynamoDbClient::create).build());

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        return function.handleRequest(event, context);
    }
}
