package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An asynchronous invocation returns a receipt, which shows the state of the invocation. */
@Tag("SN-07")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AsyncInvocationTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @Test
    @Tag("SN-02")
    @Tag("SN-05")
    @Tag("SN-06")
    void a_success_is_on_the_receipt_and_recorded_everywhere() {
        ScriptedServer server = gateway.server().plays((request, out) -> {
            gateway.system().clock().advance(Duration.ofMillis(70));
            AgentScripts.message().play(request, out);
        });
        gateway.agent("a", server);
        String receiptId = gateway.accepted("a", "{\"message\":\"The words\\nto the agent\"}");
        assertThat(server.connections())
                .as("the agent is not called by the request")
                .isZero();
        assertThat(gateway.system().sqs().messages()).singleElement().satisfies(message -> assertThat(message.body())
                .as("the queue holds nothing of the message")
                .isEqualTo(receiptId));
        JsonNode waiting = gateway.receipt(receiptId);
        assertThat(waiting)
                .isEqualTo(Json.stored(
                        """
                                {"receipt_id":"%s","agent_id":"a","mode":"async","status":"accepted","attempts":1,
                                 "created_at":"%s","finished_at":null,"latency_ms":null,"output":null,"error":null,
                                 "detail":null,"trace_id":null,"expires_at":"2026-02-09T10:00:00.000Z"}
                                """
                                .formatted(
                                        receiptId,
                                        Timestamps.text(gateway.system().clock().instant()))));

        assertThat(gateway.deliver()).isZero();
        JsonNode done = gateway.receipt(receiptId);
        assertThat(done.path("status").asText()).isEqualTo("succeeded");
        assertThat(done.path("output")).isEqualTo(Json.stored(AgentScripts.MESSAGE));
        assertThat(done.path("latency_ms").asInt()).isEqualTo(70);
        assertThat(done.path("finished_at").asText())
                .isEqualTo(Timestamps.text(gateway.system().clock().instant()));
        JsonNode sent = Json.stored(server.requests().get(0).body());
        assertThat(sent.path("id").asText()).isEqualTo(receiptId);
        assertThat(sent.findPath("text").asText()).isEqualTo("The words\nto the agent");
        assertThat(gateway.health("a").path("status").asText()).isEqualTo("online");
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);
        assertThat(gateway.healthOfProvider().path("last_latency_ms").asInt()).isEqualTo(70);
        assertThat(gateway.outcomes("a").get(OutcomeCounter.GATEWAY_SUCCESSES)).isEqualTo(1);
        assertThat(gateway.unsettled()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"500, agent_error", "302, agent_error", "200, agent_malformed_response"})
    @Tag("SN-05")
    void a_failure_after_the_agent_received_the_message_is_final(int httpStatus, String error) {
        ScriptedServer server = gateway.server().plays(Script.status(httpStatus));
        gateway.agent("a", server);
        String receiptId = gateway.accepted("a");
        assertThat(gateway.deliver()).isZero();
        JsonNode receipt = gateway.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("failed");
        assertThat(receipt.path("error").asText()).isEqualTo(error);
        assertThat(receipt.path("attempts").asInt()).isEqualTo(1);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
        assertThat(gateway.outcomes("a").get(OutcomeCounter.GATEWAY_FAILURES)).isEqualTo(1);
        assertThat(server.requests())
                .as("an answer that is none of A2A makes the gateway read the card")
                .filteredOn(request -> request.line().startsWith("POST "))
                .hasSize(1);
    }

    @Test
    void a_call_ends_at_its_timeout() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> server.hang());
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"expectations\":{\"sla_ms\":200}");
        String receiptId = gateway.accepted("a", "{\"message\":\"Hello\",\"timeout_ms\":200}");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("agent_timeout");
        assertThat(gateway.outcomes("a").get(OutcomeCounter.TIMEOUTS)).isEqualTo(1);
    }

    @Test
    @Tag("SN-04")
    void a_block_after_the_acceptance_is_respected() {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = gateway.accepted("a");
        gateway.block("agents/a");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("agent_blocked");
        gateway.unblock("agents/a");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.status(receiptId)).as("the refusal is final").isEqualTo("failed");

        String ofProvider = gateway.accepted("a");
        gateway.block("providers/" + GatewayHarness.PROVIDER);
        gateway.deliver();
        assertThat(gateway.receipt(ofProvider).path("error").asText()).isEqualTo("provider_blocked");
        gateway.unblock("providers/" + GatewayHarness.PROVIDER);

        String ofGone = gateway.accepted("a");
        assertThat(new TestAgent(gateway.system(), "a").deregister().status()).isEqualTo(204);
        gateway.deliver();
        assertThat(gateway.receipt(ofGone).path("error").asText()).isEqualTo("agent_not_active");

        assertThat(server.connections()).isZero();
        assertThat(gateway.health("a").path("last_seen_at").isNull()).isTrue();
        assertThat(gateway.outcomes("a").isNothing()).isTrue();
        assertThat(gateway.unsettled()).isEmpty();
    }

    @Test
    void an_endpoint_that_resolves_to_a_forbidden_address_is_not_called() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("a", "https://" + GatewayHarness.HOST + ":" + server.port(), "");
        Response answer = GatewayHarness.invokeAsync(gateway.deployed(), "a", GatewayHarness.HELLO);
        assertThat(answer.status())
                .as("the address is checked when the agent is called")
                .isEqualTo(202);
        assertThat(gateway.deliver(gateway.deployedWorker())).isZero();
        String receiptId = answer.json().path("receipt_id").asText();
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("endpoint_not_allowed");
        assertThat(gateway.outcomes("a").isNothing()).isTrue();
        assertThat(server.connections()).isZero();
    }

    @Test
    void a_receipt_is_visible_to_its_caller_and_administrators_for_a_day() {
        gateway.answeringAgent("a");
        String receiptId = gateway.accepted("a");
        assertThat(gateway.receipt(receiptId, TestSystem.OTHER_AGENT_KEY).status())
                .isEqualTo(200);
        assertThat(gateway.receipt(receiptId, TestSystem.ADMINISTRATOR_KEY).status())
                .isEqualTo(200);
        assertThat(gateway.receipt(receiptId, TestSystem.AGENT_KEY).status())
                .as("not even for the agent's own key")
                .isEqualTo(403);
        assertThat(gateway.receipt(receiptId, TestSystem.COORDINATOR_KEY).status())
                .isEqualTo(403);
        gateway.deliver();
        gateway.system().clock().advanceSeconds(86_399);
        assertThat(gateway.receipt(receiptId).path("output").isObject()).isTrue();
        gateway.system().clock().advanceSeconds(1);
        Response gone = gateway.receipt(receiptId, TestSystem.OTHER_AGENT_KEY);
        assertThat(gone.status()).isEqualTo(404);
        assertThat(gone.json().path("error").asText()).isEqualTo("receipt_not_found");
        assertThat(gateway.receipt("!", TestSystem.OTHER_AGENT_KEY).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"1, 202", "60000, 202", "60001, 400", "0, 400"})
    void an_agent_may_take_up_to_a_minute(int timeout, int status) {
        gateway.answeringAgent("a");
        assertThat(gateway.invokeAsync("a", "{\"message\":\"Hello\",\"timeout_ms\":" + timeout + "}")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void messages_and_answers_of_the_maximum_size_are_accepted() {
        String words = "x".repeat(255_000);
        gateway.agent(
                "a",
                gateway.server()
                        .plays(AgentScripts.result(
                                "{\"kind\":\"message\",\"parts\":[{\"kind\":\"text\",\"text\":\"" + words + "\"}]}")));
        String receiptId = gateway.accepted("a", "{\"message\":\"" + words + "\"}");
        gateway.deliver();
        assertThat(gateway.receipt(receiptId).findPath("text").asText()).isEqualTo(words);
    }
}
