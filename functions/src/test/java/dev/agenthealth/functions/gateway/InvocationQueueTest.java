package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.WriteFailure;
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
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The queue of asynchronous invocations: attempts and their pauses, duplicates, and messages that cannot be delivered. */
@Tag("SN-07")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InvocationQueueTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @Test
    void an_unreachable_agent_is_called_three_times_and_counted_once() {
        gateway.agent("a", "https://nowhere.test/", "");
        String receiptId = gateway.accepted("a");
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
        String receiptId = gateway.accepted("a");
        gateway.system().sqs().failChange(SqsException.builder().build());
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
        gateway.accepted("a");
        TestDynamoDb failing = new TestDynamoDb(gateway.system().dynamoDb()).failAt(write, WriteFailure.IS_REJECTED);
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
        String receiptId = gateway.accepted("a");
        for (int attempt = 1; attempt <= 2; attempt++) {
            gateway.system().clock().advanceSeconds(899);
            assertThat(gateway.deliver()).isEqualTo(1);
        }
        new TestAgent(gateway.system(), "a").deregister();
        gateway.agent("a", server);
        gateway.system().clock().advanceSeconds(899);
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.status(receiptId)).isEqualTo("succeeded");
    }

    @Test
    void an_agent_that_recovers_receives_the_message() {
        ScriptedServer server = gateway.server().plays(AgentScripts.message());
        gateway.agent("a", "https://nowhere.test/", "");
        String receiptId = gateway.accepted("a");
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
        assertThat(gateway.status(receiptId)).isEqualTo("succeeded");
        assertThat(gateway.health("a").path("failure_count").asInt()).isZero();
    }

    @Test
    void a_duplicate_message_does_not_call_the_agent_again() {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = gateway.accepted("a");
        for (int i = 0; i < 3; i++) {
            assertThat(gateway.deliver()).isZero();
            gateway.system().clock().advance(Duration.ofHours(5));
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(gateway.status(receiptId)).isEqualTo("succeeded");
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    @Test
    void concurrent_duplicate_messages_call_the_agent_once() throws Exception {
        ScriptedServer server = gateway.answeringAgent("a");
        String receiptId = gateway.accepted("a");
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
        assertThat(gateway.status(receiptId)).isEqualTo("succeeded");
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
        String first = gateway.accepted("a");
        String second = gateway.accepted("a");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.status(first)).isEqualTo("succeeded");
        assertThat(gateway.status(second)).isEqualTo("succeeded");
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
        gateway.system().sqs().failSend(SqsException.builder().build());
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
        String receiptId = gateway.accepted("a");
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
}
