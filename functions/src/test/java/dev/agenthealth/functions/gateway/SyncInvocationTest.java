package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.a2a.A2aMessage;
import dev.agenthealth.functions.gateway.a2a.A2aOptions;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.Destination;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.ConnectionState;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.testkit.ScriptedServer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A synchronous invocation returns the agent's answer, and its result is in the agent's records afterwards. */
@Tag("SN-07")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SyncInvocationTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @Test
    @Tag("SN-09")
    void an_agent_that_sends_no_heartbeats_is_called_and_its_record_lives_from_the_calls() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("called", GatewayHarness.endpoint(server), ",\"heartbeat_config\":{\"mode\":\"none\"}");
        for (int day = 1; day <= 3; day++) {
            gateway.system().clock().advance(Duration.ofDays(1));
            assertThat(gateway.invoke("called", GatewayHarness.HELLO).status()).isEqualTo(200);
            JsonNode health = gateway.health("called");
            assertThat(health.path("success_count").asInt()).isEqualTo(day);
            assertThat(health.path("status").asText()).isEqualTo("online");
            assertThat(gateway.reputation("called")).isGreaterThan(0.5);
        }
    }

    @Test
    void the_answers_and_the_receipt_name_the_version_that_was_called() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("versioned", GatewayHarness.endpoint(server), ",\"agent_version\":\"2.4.1\"");
        JsonNode answer = gateway.invoke("versioned", GatewayHarness.HELLO).json();
        assertThat(answer.path("agent_version").asText()).isEqualTo("2.4.1");
        assertThat(gateway.receipt(answer.path("receipt_id").asText())
                        .path("agent_version")
                        .asText())
                .isEqualTo("2.4.1");
        assertThat(gateway.invokeAsync("versioned", GatewayHarness.HELLO)
                        .json()
                        .path("agent_version")
                        .asText())
                .isEqualTo("2.4.1");
    }

    @Test
    @Tag("SN-02")
    @Tag("SN-05")
    @Tag("SN-06")
    @Tag("SN-08")
    void a_success_is_returned_and_recorded_everywhere() {
        ScriptedServer server = gateway.server().plays((request, out) -> {
            gateway.system().clock().advance(Duration.ofMillis(142));
            AgentScripts.message().play(request, out);
        });
        gateway.agent("biller", server);
        Response answer = gateway.invoke("biller", GatewayHarness.HELLO);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        String receiptId = answer.json().path("receipt_id").asText();
        assertThat(answer.json())
                .isEqualTo(Json.stored("{\"receipt_id\":\"" + receiptId
                        + "\",\"agent_id\":\"biller\",\"status\":\"succeeded\",\"output\":" + AgentScripts.MESSAGE
                        + ",\"latency_ms\":142}"));
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");

        JsonNode health = gateway.health("biller");
        assertThat(health.path("status").asText()).isEqualTo("online");
        assertThat(health.path("last_seen_at").asText())
                .isEqualTo(gateway.system().clock().instant().toString());
        assertThat(health.path("last_latency_ms").asInt()).isEqualTo(142);
        assertThat(health.path("success_count").asInt()).isEqualTo(1);
        assertThat(health.path("failure_count").asInt()).isZero();
        assertThat(health.path("success_rate").asDouble()).isEqualTo(1.0);
        assertThat(gateway.healthOfProvider().path("success_count").asInt()).isEqualTo(1);
        assertThat(gateway.reputation("biller")).isGreaterThan(0.5);
        OutcomeCounts counted = gateway.outcomes("biller");
        assertThat(counted.get(OutcomeCounter.GATEWAY_SUCCESSES)).isEqualTo(1);
        assertThat(counted.executions()).isEqualTo(1);
        assertThat(counted.get(OutcomeCounter.LATENCY_MICROS)).isEqualTo(142_000);
        assertThat(gateway.unsettled()).isEmpty();

        JsonNode receipt = gateway.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("succeeded");
        assertThat(receipt.path("mode").asText()).isEqualTo("sync");
        assertThat(receipt.path("latency_ms").asInt()).isEqualTo(142);
        assertThat(receipt.path("output").isNull())
                .as("the answer is not stored")
                .isTrue();
    }

    @Test
    @Tag("AHS-08")
    void an_invocation_counts_once_where_the_agent_and_a_coordinator_report_it_with_its_receipt() {
        ScriptedServer server = gateway.answeringAgent("thorough");
        String receiptId = gateway.invoke("thorough", GatewayHarness.HELLO)
                .json()
                .path("receipt_id")
                .asText();
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY)) {
            Response answer = gateway.system()
                    .api()
                    .post("/api/v1/agents/thorough/outcomes")
                    .key(key)
                    .body("{\"batch_id\":\"b\",\"outcomes\":[{\"result\":\"success\",\"receipt_id\":\"" + receiptId
                            + "\"}]}")
                    .send();
            assertThat(answer.json().path("counted_by_gateway").intValue())
                    .as(answer.text())
                    .isEqualTo(1);
        }
        assertThat(gateway.outcomes("thorough").executions()).isEqualTo(1);
    }

    @Test
    void an_agent_of_version_1_0_receives_a_request_of_that_version() {
        ScriptedServer server = gateway.server()
                .plays(
                        AgentScripts.result(
                                """
                        {"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}\
                        """));
        gateway.agent("newer", GatewayHarness.endpoint(server), ",\"a2a_version\":\"1.0\"");
        Response answer = gateway.invoke("newer", GatewayHarness.HELLO);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.json()
                        .path("output")
                        .path("task")
                        .path("status")
                        .path("state")
                        .asText())
                .isEqualTo("TASK_STATE_WORKING");
        ScriptedServer.Request request = server.requests().get(0);
        assertThat(request.headers()).containsEntry("a2a-version", "1.0");
        assertThat(Json.stored(request.body()).path("method").asText()).isEqualTo("SendMessage");
        assertThat(AgentScripts.id(request))
                .isEqualTo(answer.json().path("receipt_id").asText());
    }

    @Test
    void an_agent_is_called_over_tls_by_its_name() {
        ScriptedServer server = gateway.secureServer(gateway.certificates()).plays(AgentScripts.message());
        gateway.agent("secure", "https://" + GatewayHarness.HOST + ":" + server.port(), "");
        assertThat(gateway.invoke("secure", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    @Test
    void the_content_type_of_an_answer_is_ignored() {
        ScriptedServer server =
                gateway.server().plays(AgentScripts.result(AgentScripts.MESSAGE, "Content-Type: text/html"));
        gateway.agent("strange", server);
        assertThat(gateway.invoke("strange", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "working", "submitted", "input-required", "auth-required"})
    @Tag("SN-06")
    void a_task_that_is_working_or_needs_input_is_a_success(String state) {
        gateway.agent("worker", gateway.server().plays(AgentScripts.task(state)));
        assertThat(gateway.invoke("worker", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(gateway.health("worker").path("success_count").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 400", "1, 504", "25000, 200", "25001, 400", "-1, 400", "1.5, 400", "\"1000\", 400", "null, 200"})
    void the_timeout_is_between_1_millisecond_and_25_seconds(String timeout, int status) {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> {
            if (timeout.equals("1")) {
                server.hang();
            }
            AgentScripts.message().play(request, out);
        });
        gateway.agent("a", server);
        assertThat(gateway.invoke("a", "{\"message\":\"Hello\",\"timeout_ms\":" + timeout + "}")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void all_errors_of_a_request_are_reported() {
        Response answer = gateway.invoke("a", "{\"massage\":\"Hello\",\"timeout_ms\":0}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("massage", "message", "timeout_ms");
        for (String body : List.of("", "[]", "{", "\"Hello\"")) {
            assertThat(gateway.invoke("a", body).status()).isEqualTo(400);
        }
    }

    @Test
    void every_key_may_invoke_and_an_unhealthy_agent_may_be_invoked() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        TestAgent agent = gateway.agent("a", server);
        agent.becomeUnhealthy();
        for (String key : List.of(
                TestSystem.AGENT_KEY,
                TestSystem.OTHER_AGENT_KEY,
                TestSystem.COORDINATOR_KEY,
                TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(gateway.api()
                            .post("/v1/agents/a/invoke")
                            .key(key)
                            .body(GatewayHarness.HELLO)
                            .send()
                            .status())
                    .isEqualTo(200);
        }
        assertThat(server.connections()).isEqualTo(4);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void resolving_the_host_is_part_of_the_timeout_and_of_the_latency() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> server.hang());
        Duration timeout = Duration.ofMinutes(10);
        gateway.agent("a", server);
        Endpoint endpoint = Endpoint.of(GatewayHarness.endpoint(server)).orElseThrow();
        AgentCalls calls = new AgentCalls(
                new AddressCheck(new EndpointRule(true), NameResolver.system()),
                new PinnedHttpClient(
                        SecureSockets.trusting(gateway.certificates().trust())),
                new ConnectionStore(gateway.system().database()),
                agent -> List.of(),
                new DeclaredSigns(
                        gateway.system().database(),
                        gateway.system().clock(),
                        gateway.system().log()),
                gateway.system().log(),
                gateway.system().clock());
        CallResult result = calls.call(
                new AdmissionCheck.Admitted(
                        new AgentStore(gateway.system().database()).find("a").orElseThrow(),
                        endpoint,
                        Map.of(),
                        new ConnectionState(A2aProtocol.DEFAULT, 0),
                        Block.NONE),
                new AgentCalls.Resolution(
                        Optional.of(new Destination(endpoint, List.of(InetAddress.getLoopbackAddress()))),
                        Optional.empty(),
                        timeout.minusMillis(50)),
                version -> A2aRequest.send(version, A2aMessage.ofText("Hello"), A2aOptions.DEFAULT, "rcpt_1"),
                TraceContext.NONE,
                timeout);
        assertThat(result.failure().orElseThrow()).isIn(InvocationFailure.TIMEOUT, InvocationFailure.CONNECT_TIMEOUT);
        assertThat(result.latencyMs()).isEqualTo(599_950);
    }

    @Test
    void the_latency_is_not_negative_when_the_clock_goes_back() {
        ScriptedServer server = gateway.server().plays((request, out) -> {
            gateway.system().clock().advanceSeconds(-3_600);
            AgentScripts.message().play(request, out);
        });
        gateway.agent("a", server);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO)
                        .json()
                        .path("latency_ms")
                        .asInt(-1))
                .isZero();
        assertThat(gateway.health("a").path("last_latency_ms").asInt(-1)).isZero();
    }

    @Test
    void a_call_of_an_agent_without_a_provider_is_recorded() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        assertThat(new TestAgent(gateway.system(), "alone")
                        .register(",\"endpoint\":\"" + GatewayHarness.endpoint(server) + "\"")
                        .status())
                .isEqualTo(201);
        assertThat(gateway.invoke("alone", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(gateway.health("alone").path("success_count").asInt()).isEqualTo(1);
    }
}
