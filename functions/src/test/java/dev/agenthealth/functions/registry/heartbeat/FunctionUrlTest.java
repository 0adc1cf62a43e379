package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.snapshot.RuntimeJson;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.RequestMeter.Call;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests through the URL of the heartbeat function, which names no route: the payload is decoded by the library of the Lambda runtime. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class FunctionUrlTest {

    @AutoClose
    private TestSystem system;

    private HeartbeatFunction function;
    private TestAgent agent;

    @BeforeAll
    void open() {
        system = new TestSystem();
        function = new HeartbeatFunction(system.wiring(Map.of()));
        agent = TestAgent.registered(system, "agent_x");
    }

    @Test
    void a_heartbeat_is_answered_as_through_the_api_for_one_write_unit() {
        system.meter().reset();
        Answer answer = call(
                "POST",
                agent.heartbeatPath(),
                "{\"status\":\"active\",\"client_timestamp\":\"%s\"}"
                        .formatted(system.clock().instant()));
        assertThat(system.meter().calls()).containsExactly(new Call("UpdateItem", 1, 0));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(agent.sendHeartbeat().json());
    }

    @Test
    void a_bare_ping_has_no_body() {
        assertThat(call("POST", agent.heartbeatPath(), null).status()).isEqualTo(200);
    }

    @Test
    void a_body_of_unknown_type_arrives_in_base64() {
        ObjectNode event = event("POST", agent.heartbeatPath());
        byte[] body =
                """
                {"status":"active","client_timestamp":"2026-02-08T10:00:00Z","current_load":7}\
                """
                        .getBytes(StandardCharsets.UTF_8);
        event.put("body", Base64.getEncoder().encodeToString(body)).put("isBase64Encoded", true);
        assertThat(call(event).status()).isEqualTo(200);
        assertThat(agent.pulse().workload().load()).isEqualTo(7);
    }

    @Test
    void a_batch_and_outcomes_have_the_same_paths_as_in_the_api() {
        Answer batch = call("POST", "/api/v1/heartbeats", "{\"heartbeats\":[{\"agent_id\":\"agent_x\"}]}");
        assertThat(batch.status()).isEqualTo(200);
        assertThat(batch.body().at("/results/0/status_code").intValue()).isEqualTo(200);
        Answer outcomes = call(
                "POST",
                "/api/v1/agents/agent_x/outcomes",
                """
                        {"batch_id":"b1","outcomes":[{"result":"success"}]}\
                        """);
        assertThat(outcomes.status()).isEqualTo(202);
    }

    @Test
    void an_encoded_id_is_decoded_once() {
        TestAgent colon = TestAgent.registered(system, "team:agent");
        assertThat(call("POST", "/api/v1/agents/team%3Aagent/heartbeat", null).status())
                .isEqualTo(200);
        assertThat(colon.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(call("POST", "/api/v1/agents/team%253Aagent/heartbeat", null).status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /api/v1/agents/agent_x/heartbeat, 405",
        "GET,  /api/v1/agents/agent_x/heartbeat/, 405",
        "POST, //api/v1/agents/agent_x/heartbeat, 404",
        "POST, /api/v1/agents//heartbeat, 404",
        "POST, /api/v1/agents/agent_x/heartbeat/more, 404",
        "POST, /, 404",
        "GET,  /api/v1/agents, 404",
        "POST, /api/v1/agents/agent%ZZ/heartbeat, 400",
        "POST, /api/v1/agents/a%2Fb/heartbeat, 400",
        "POST, /api/v1/agents/{agent_id}/heartbeat, 400",
    })
    void other_paths_are_refused(String method, String path, int status) {
        system.meter().reset();
        Answer answer = call(method, path, "{}");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body().path("status").intValue()).isEqualTo(status);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    void a_request_without_a_key_is_refused() {
        ObjectNode event = event("POST", agent.heartbeatPath());
        event.withObject("/headers").remove("x-api-key");
        assertThat(call(event).status()).isEqualTo(401);
    }

    private record Answer(int status, JsonNode body) {}

    private Answer call(String method, String path, String body) {
        ObjectNode event = event(method, path);
        if (body != null) {
            event.put("body", body);
        }
        return call(event);
    }

    private Answer call(ObjectNode event) {
        APIGatewayV2HTTPResponse response =
                function.handleRequest(RuntimeJson.event(APIGatewayV2HTTPEvent.class, Json.text(event)), null);
        return new Answer(response.getStatusCode(), Json.stored(response.getBody()));
    }

    private static ObjectNode event(String method, String path) {
        ObjectNode event = Json.object()
                .put("version", "2.0")
                .put("routeKey", "$default")
                .put("rawPath", path)
                .put("rawQueryString", "")
                .put("isBase64Encoded", false);
        event.putObject("headers")
                .put("content-type", "application/json")
                .put("host", "a1b2.lambda-url.us-east-1.on.aws")
                .put("x-forwarded-proto", "https")
                .put("x-api-key", TestSystem.AGENT_KEY);
        ObjectNode context = event.putObject("requestContext")
                .put("accountId", "anonymous")
                .put("apiId", "a1b2")
                .put("domainName", "a1b2.lambda-url.us-east-1.on.aws")
                .put("requestId", "request-1")
                .put("routeKey", "$default")
                .put("stage", "$default");
        context.putObject("http").put("method", method).put("path", path).put("sourceIp", "203.0.113.7");
        return event;
    }
}
