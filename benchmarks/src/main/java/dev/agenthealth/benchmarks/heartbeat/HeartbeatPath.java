package dev.agenthealth.benchmarks.heartbeat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.benchmarks.TemplateEnvironment;
import dev.agenthealth.benchmarks.TypicalRow;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.TestContext;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The deployed heartbeat function with a DynamoDB client that answers at once: decoding, rules, building the request, reading the row,
 * encoding. It does not include the AWS SDK's work on a request. Thread-safe.
 */
public final class HeartbeatPath {

    private static final String BODY =
            "{\"status\":\"active\",\"client_timestamp\":\"%s\",\"current_load\":2,\"tasks_in_progress\":[]}";

    private final HeartbeatFunction function;
    private final Context context = TestContext.of("HeartbeatFunction");
    private final APIGatewayV2HTTPEvent event;
    private final String json;

    public HeartbeatPath() {
        Clock clock = Clock.systemUTC();
        UpdateItemResponse answer = UpdateItemResponse.builder()
                .attributes(TypicalRow.of("agent_01KJ3N8Q6V7XH2M4T9ZB5C", clock.instant()))
                .build();
        function = new HeartbeatFunction(wiring(clock, () -> new AnsweringAtOnce(answer)));
        String body = BODY.formatted(clock.instant());
        event = APIGatewayV2HTTPEvent.builder()
                .withRouteKey("POST /api/v1/agents/{agent_id}/heartbeat")
                .withRawPath("/api/v1/agents/agent_01KJ3N8Q6V7XH2M4T9ZB5C/heartbeat")
                .withPathParameters(Map.of("agent_id", "agent_01KJ3N8Q6V7XH2M4T9ZB5C"))
                .withHeaders(Map.of("x-api-key", TypicalRow.API_KEY, "content-type", "application/json"))
                .withBody(body)
                .build();
        json = event(clock.instant());
    }

    /** Returns a heartbeat as the HTTP API passes it to the function: JSON in UTF-8. */
    public static String event(Instant clientTimestamp) {
        String body = BODY.formatted(clientTimestamp);
        return """
                {"version":"2.0","routeKey":"POST /api/v1/agents/{agent_id}/heartbeat",
                 "rawPath":"/api/v1/agents/agent_01KJ3N8Q6V7XH2M4T9ZB5C/heartbeat","rawQueryString":"",
                 "headers":{"content-length":"110","content-type":"application/json","host":"abc123.execute-api.us-east-1.amazonaws.com",
                  "user-agent":"agent-health-client/1","x-amzn-trace-id":"Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700","x-api-key":"%s",
                  "x-forwarded-for":"203.0.113.7","x-forwarded-port":"443","x-forwarded-proto":"https"},
                 "requestContext":{"accountId":"123456789012","apiId":"abc123","domainName":"abc123.execute-api.us-east-1.amazonaws.com",
                  "domainPrefix":"abc123","http":{"method":"POST","path":"/api/v1/agents/agent_01KJ3N8Q6V7XH2M4T9ZB5C/heartbeat",
                  "protocol":"HTTP/1.1","sourceIp":"203.0.113.7","userAgent":"agent-health-client/1"},"requestId":"JKJaXmPLvHcESHA=",
                  "routeKey":"POST /api/v1/agents/{agent_id}/heartbeat","stage":"$default","time":"08/Feb/2026:10:00:00 +0000",
                  "timeEpoch":1770544800000},
                 "pathParameters":{"agent_id":"agent_01KJ3N8Q6V7XH2M4T9ZB5C"},"body":"%s","isBase64Encoded":false}"""
                .formatted(TypicalRow.API_KEY, body.replace("\"", "\\\""));
    }

    /** Returns the answer of the function to an event that Lambda has decoded. */
    public APIGatewayV2HTTPResponse answer() {
        return function.handleRequest(event, context);
    }

    /** Sends a heartbeat as Lambda's runtime does: the event and the answer are JSON. */
    public String answerInJson() {
        return LambdaRuntime.invoke(function, json, context);
    }

    private static Wiring wiring(Clock clock, Supplier<DynamoDbClient> dynamoDb) {
        Map<String, String> environment =
                TemplateEnvironment.of("HeartbeatFunction", Map.of("LOG_SAMPLE_ONE_IN", "1000000"));
        return Wiring.of(environment).clock(clock).dynamoDb(dynamoDb).build();
    }

    private record AnsweringAtOnce(UpdateItemResponse answer) implements DynamoDbClient {

        @Override
        public UpdateItemResponse updateItem(UpdateItemRequest request) {
            return answer;
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
