package dev.agenthealth.functions.api.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.CapturedOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** Log lines of real requests, and input that must not be logged. */
class RequestLinesTest {

    @AutoClose
    private final CapturedOutput output = new CapturedOutput();

    @Test
    @Tag("R16-10")
    void a_request_is_logged_with_its_cost() {
        try (TestSystem system = new TestSystem()) {
            TestAgent agent = new TestAgent(system, "agent_1");
            system.meter().reset();
            assertThat(agent.register("").status()).isEqualTo(201);
            JsonNode registration = last("POST /api/v1/agents");
            assertThat(registration.get("caller").textValue()).isEqualTo("key-" + TestSystem.AGENT_KEY);
            assertCosts(registration, system);
            system.meter().reset();
            assertThat(loggingEveryRequest(system)
                            .post(agent.heartbeatPath())
                            .key(TestSystem.AGENT_KEY)
                            .body(TestAgent.HEARTBEAT_BODY.formatted(
                                    system.clock().instant()))
                            .send()
                            .status())
                    .isEqualTo(200);
            JsonNode heartbeat = last("POST /api/v1/agents/{agent_id}/heartbeat");
            assertThat(heartbeat.get("agent_id").textValue()).isEqualTo("agent_1");
            assertThat(heartbeat.get("write_units").doubleValue()).isEqualTo(1);
            assertCosts(heartbeat, system);
        }
    }

    @Test
    void the_cost_includes_other_threads() {
        try (TestSystem system = new TestSystem()) {
            List<String> heartbeats = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                TestAgent agent = TestAgent.registered(system, "agent_" + i);
                heartbeats.add(TestAgent.HEARTBEAT_BODY
                        .formatted(system.clock().instant())
                        .replaceFirst("\\{", "{\"agent_id\":\"" + agent.id() + "\","));
            }
            system.meter().reset();
            assertThat(loggingEveryRequest(system)
                            .post("/api/v1/heartbeats")
                            .key(TestSystem.AGENT_KEY)
                            .body("{\"heartbeats\":[" + String.join(",", heartbeats) + "]}")
                            .send()
                            .status())
                    .isEqualTo(200);
            JsonNode batch = last("POST /api/v1/heartbeats");
            assertThat(batch.get("write_units").doubleValue()).isEqualTo(20);
            assertCosts(batch, system);
            system.meter().reset();
            system.api()
                    .get("/v1/trust/agents")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .send();
            assertCosts(last("GET /v1/trust/agents"), system);
        }
    }

    @Test
    void every_throttled_attempt_is_counted() {
        try (TestSystem system = new TestSystem()) {
            system.faults().throttleOn(GetItemRequest.class);
            system.faults().throttleOn(GetItemRequest.class);
            system.api().get("/api/v1/agents/agent_1").key(TestSystem.AGENT_KEY).send();
            assertThat(last("GET /api/v1/agents/{agent_id}").get("throttles").intValue())
                    .isEqualTo(2);
            assertThat(output.lines())
                    .anyMatch(line -> line.contains("\"StorageThrottles\":2")
                            && line.contains("\"Function\":\"RegistryFunction\"")
                            && line.contains("\"Stack\":\"" + TestSystem.STACK + "\""));
        }
    }

    @Test
    @Tag("R16-31")
    void no_route_logs_a_key_a_header_a_query_or_a_body() {
        try (DeployedSystem system = new DeployedSystem()) {
            List<HttpFunction> functions = system.functions().stream()
                    .filter(function -> !function.routes().isEmpty())
                    .map(function -> {
                        Map<String, String> all = new HashMap<>(function.environment());
                        all.put("LOG_SAMPLE_ONE_IN", "1");
                        return (HttpFunction) system.start(function.logicalId(), all);
                    })
                    .toList();
            TestApi api = new TestApi(functions);
            int requests = 0;
            for (HttpFunction function : functions) {
                for (String routeKey : function.routes().keys()) {
                    String method = routeKey.substring(0, routeKey.indexOf(' '));
                    String path = routeKey.substring(routeKey.indexOf(' ') + 1).replaceAll("\\{[a-z_]+}", "unknown");
                    for (String key : List.of("marked-key", TestSystem.ADMINISTRATOR_KEY)) {
                        api.request(method, path)
                                .key(key)
                                .header("x-marked", "marked-header")
                                .query("marked_name", "marked-value")
                                .body("{\"marked_field\":\"marked-text\"}")
                                .send();
                        requests++;
                    }
                }
            }
            assertThat(requests).isGreaterThan(80);
            assertThat(output.lines().stream().filter(line -> line.contains("\"event\":\"request\"")))
                    .hasSize(requests);
            assertThat(output.text()).doesNotContain("marked", TestSystem.ADMINISTRATOR_KEY);
        }
    }

    private static TestApi loggingEveryRequest(TestSystem system) {
        return new TestApi(List.of(new HeartbeatFunction(system.wiring(Map.of("LOG_SAMPLE_ONE_IN", "1")))));
    }

    private static void assertCosts(JsonNode line, TestSystem system) {
        assertThat(line.get("read_units").doubleValue())
                .isEqualTo(system.meter().readUnits());
        assertThat(line.get("write_units").doubleValue())
                .isEqualTo(system.meter().writeUnits());
    }

    /** The last line about a request for this route. */
    private JsonNode last(String route) {
        List<JsonNode> lines = output.lines().stream()
                .map(Json::stored)
                .filter(line -> line.path("route").asText().equals(route))
                .toList();
        assertThat(lines).as(route).isNotEmpty();
        return lines.get(lines.size() - 1);
    }
}
