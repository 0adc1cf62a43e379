package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.outcome.OutcomeCounter;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.CrashingDynamoDb;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestSqs;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An asynchronous invocation returns a receipt, which shows the state of the invocation. */
@Tag("SN-07")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AsyncInvocationTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private String accepted(String agentId) {
        return accepted(agentId, GatewayHarness.HELLO);
    }

    private String accepted(String agentId, String body) {
        Response answer = gateway.invokeAsync(agentId, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        assertThat(answer.json().path("status").asText()).isEqualTo("accepted");
        assertThat(answer.json().path("agent_id").asText()).isEqualTo(agentId);
        return answer.json().path("receipt_id").asText();
    }

    private String status(String receiptId) {
        return gateway.receipt(receiptId).path("status").asText();
    }

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
        String receiptId = accepted("a", "{\"message\":\"The words\\nto the agent\"}");
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
                                 "detail":null,"trace_id":null,"expires_at":"2026-02-09T10:00:00Z"}
                                """
                                .formatted(receiptId, gateway.system().clock().instant())));

        assertThat(gateway.deliver()).isZero();
        JsonNode done = gateway.receipt(receiptId);
        assertThat(done.path("status").asText()).isEqualTo("succeeded");
        assertThat(done.path("output")).isEqualTo(Json.stored(AgentScripts.MESSAGE));
        assertThat(done.path("latency_ms").asInt()).isEqualTo(70);
        assertThat(done.path("finished_at").asText())
                .isEqualTo(gateway.system().clock().instant().toString());
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
        String receiptId = accepted("a");
        assertThat(gateway.deliver()).isZero();
        JsonNode receipt = gateway.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("failed");
        assertThat(receipt.path("error").asText()).isEqualTo(error);
        assertThat(receipt.path("attempts").asInt()).isEqualTo(1);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
        assertThat(gateway.outcomes("a").get(OutcomeCounter.GATEWAY_FAILURES)).isEqualTo(1);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void a_call_ends_at_its_timeout() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> server.hang());
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"expectations\":{\"sla_ms\":200}");
        String receiptId = accepted("a", "{\"message\":\"Hello\",\"timeout_ms\":200}");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("agent_timeout");
        assertThat(gateway.outcomes("a").get(OutcomeCounter.TIMEOUTS)).isEqualTo(1);
    }

    @Test
    void an_unreachable_agent_is_called_three_times_and_counted_once() {
        gateway.agent("a", "https://nowhere.test/", "");
        String receiptId = accepted("a");
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThat(gateway.deliver()).as("the message is delivered again").isEqualTo(1);
            JsonNode receipt = gateway.receipt(receiptId);
            assertThat(receipt.path("status").asText()).isEqualTo("accepted");
            assertThat(receipt.path("attempts").asInt()).isEqualTo(attempt + 1);
            gateway.system().clock().advanceSeconds(30);
        }
        assertThat(gateway.deliver()).isZero();
        assertThat(pauses())
                .as("a short pause, a longer one, and none after the last attempt")
                .containsExactly(5, 30);
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("agent_unreachable");
        assertThat(gateway.receipt(receiptId).path("attempts").asInt()).isEqualTo(3);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
        assertThat(gateway.deliver()).as("a fourth delivery does nothing").isZero();
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    private List<Integer> pauses() {
        return gateway.system().sqs().redeliveries().stream()
                .map(TestSqs.Redelivery::seconds)
                .toList();
    }

    @Test
    void a_message_whose_visibility_cannot_be_changed_is_delivered_later() {
        gateway.agent("a", "https://nowhere.test/", "");
        String receiptId = accepted("a");
        for (int i = 0; i < 3; i++) {
            gateway.system().sqs().fail(TestSqs.CHANGE_VISIBILITY, 500, "InternalFailure");
        }
        try (CapturedOutput log = new CapturedOutput()) {
            assertThat(gateway.deliver(gateway.workerThrough(gateway.system().dynamoDb())))
                    .as("the message is delivered again")
                    .isEqualTo(1);
            assertThat(log.text()).contains("invocation_not_hastened", receiptId);
        }
        assertThat(pauses()).isEmpty();
        gateway.system().clock().advanceSeconds(450);
        assertThat(gateway.deliver()).isEqualTo(1);
        assertThat(gateway.receipt(receiptId).path("attempts").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void after_a_failure_of_the_worker_the_queue_s_visibility_timeout_applies(int write) {
        gateway.agent("a", "https://nowhere.test/", "");
        accepted("a");
        CrashingDynamoDb failing =
                new CrashingDynamoDb(gateway.system().dynamoDb(), write, CrashingDynamoDb.Way.IS_REJECTED);
        assertThat(gateway.deliver(gateway.workerThrough(failing)))
                .as("the message is delivered again")
                .isEqualTo(1);
        assertThat(failing.hasFailed()).isTrue();
        assertThat(pauses()).isEmpty();
    }

    @Test
    void a_message_is_kept_longer_than_all_attempts_may_take() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("a", "https://nowhere.test/", "");
        String receiptId = accepted("a");
        for (int attempt = 1; attempt <= 2; attempt++) {
            gateway.system().clock().advanceSeconds(899);
            assertThat(gateway.deliver()).isEqualTo(1);
        }
        new TestAgent(gateway.system(), "a").deregister();
        gateway.agent("a", server);
        gateway.system().clock().advanceSeconds(899);
        assertThat(gateway.deliver()).isZero();
        assertThat(status(receiptId)).isEqualTo("succeeded");
    }

    @Test
    void an_agent_that_recovers_receives_the_message() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("a", "https://nowhere.test/", "");
        String receiptId = accepted("a");
        assertThat(gateway.deliver()).isEqualTo(1);
        assertThat(gateway.system()
                        .api()
                        .patch("/api/v1/agents/a")
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"endpoint\":\"" + GatewayHarness.endpoint(server) + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(gateway.deliver()).isZero();
        assertThat(status(receiptId)).isEqualTo("succeeded");
        assertThat(gateway.health("a").path("failure_count").asInt()).isZero();
    }

    @Test
    @Tag("SN-04")
    void a_block_after_the_acceptance_is_respected() {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = accepted("a");
        gateway.block("agents/a");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("agent_blocked");
        gateway.unblock("agents/a");
        assertThat(gateway.deliver()).isZero();
        assertThat(status(receiptId)).as("the refusal is final").isEqualTo("failed");

        String ofProvider = accepted("a");
        gateway.block("providers/" + GatewayHarness.PROVIDER);
        gateway.deliver();
        assertThat(gateway.receipt(ofProvider).path("error").asText()).isEqualTo("provider_blocked");
        gateway.unblock("providers/" + GatewayHarness.PROVIDER);

        String ofGone = accepted("a");
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
    void a_duplicate_message_does_not_call_the_agent_again() {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = accepted("a");
        for (int i = 0; i < 3; i++) {
            assertThat(gateway.deliver()).isZero();
            gateway.system().clock().advance(Duration.ofHours(5));
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(status(receiptId)).isEqualTo("succeeded");
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    @Test
    void concurrent_duplicate_messages_call_the_agent_once() throws Exception {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = accepted("a");
        List<TestSqs.Message> copies =
                Collections.nCopies(4, gateway.system().sqs().messages().get(0));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Callable<Integer> delivery =
                () -> gateway.workerThrough(gateway.system().dynamoDb())
                        .handleRequest(GatewayHarness.event(copies), null)
                        .getBatchItemFailures()
                        .size();
        for (Future<Integer> done : threads.invokeAll(Collections.nCopies(8, delivery))) {
            assertThat(done.get()).isZero();
        }
        threads.shutdown();
        assertThat(server.connections()).isEqualTo(1);
        assertThat(status(receiptId)).isEqualTo("succeeded");
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    @Test
    void the_invocations_of_a_batch_do_not_wait_for_each_other() {
        ScriptedServer slow = gateway.server();
        CountDownLatch both = new CountDownLatch(2);
        slow.plays((request, out) -> {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            AgentScripts.message().play(request, out);
        });
        gateway.agent("a", slow);
        String first = accepted("a");
        String second = accepted("a");
        assertThat(gateway.deliver()).isZero();
        assertThat(status(first)).isEqualTo("succeeded");
        assertThat(status(second)).isEqualTo("succeeded");
    }

    @Test
    void a_message_with_an_expired_receipt_is_dropped() {
        assertThat(failures("rcpt_unknown")).isEmpty();
    }

    @Test
    void a_message_without_a_receipt_id_goes_to_the_dead_letter_queue() {
        for (String body : List.of("", "{}", "two words", "x".repeat(5_000))) {
            assertThat(failures(body)).containsExactly("message-1");
        }
    }

    private List<String> failures(String body) {
        return gateway
                .workerThrough(gateway.system().dynamoDb())
                .handleRequest(
                        GatewayHarness.event(List.of(new TestSqs.Message("url", "message-1", body, "handle"))), null)
                .getBatchItemFailures()
                .stream()
                .map(BatchItemFailure::getItemIdentifier)
                .toList();
    }

    @Test
    void when_the_queue_rejects_the_message_the_invocation_is_interrupted() {
        ScriptedServer server = gateway.answeringAgent("a");
        for (int i = 0; i < 3; i++) {
            gateway.system().sqs().fail(TestSqs.SEND_MESSAGE, 500, "InternalFailure");
        }
        Response answer = gateway.invokeAsync("a", GatewayHarness.HELLO);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(gateway.unsettled()).isEmpty();
        assertThat(gateway.deliver()).isZero();
        assertThat(server.connections()).isZero();
    }

    @Test
    void an_invocation_that_never_starts_is_interrupted_and_not_counted() {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = accepted("a");
        gateway.system().clock().advanceSeconds(899);
        assertThat(gateway.repairNow().interrupted()).isZero();
        gateway.system().clock().advanceSeconds(3);
        assertThat(gateway.repairNow().interrupted()).isEqualTo(1);
        JsonNode receipt = gateway.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("failed");
        assertThat(receipt.path("error").asText()).isEqualTo("interrupted");
        assertThat(gateway.outcomes("a").isNothing()).isTrue();
        assertThat(gateway.health("a").path("status").asText()).isEqualTo("unknown");
        assertThat(gateway.deliver()).as("its message is too late").isZero();
        assertThat(server.connections()).isZero();
        assertThat(gateway.repair()).isEqualTo(new ReceiptRepair.Numbers(0, 0, 0));
    }

    @Test
    void a_receipt_is_visible_to_its_caller_and_administrators_for_a_day() {
        gateway.answeringAgent("a");
        String receiptId = accepted("a");
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
        String receiptId = accepted("a", "{\"message\":\"" + words + "\"}");
        gateway.deliver();
        assertThat(gateway.receipt(receiptId).findPath("text").asText()).isEqualTo(words);
    }
}
