package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** A request repeated with the same idempotency key does not call the agent twice. */
@Tag("SN-07")
class RepeatedRequestTest {

    private static final String INVOKE = "invoke";
    private static final String ASYNC = "invoke-async";
    private static final String KEY = "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"";
    private static final String BODY =
            """
                    {"message":{"parts":[{"data":{"a":1,"b":[2,{"c":3,"d":4}]}}]},"timeout_ms":5000}\
                    """;
    private static final String SAME_BODY = " {\"timeout_ms\": 5000, \"message\": {\"role\":\"user\",\"parts\":"
            + "[{\"kind\":\"data\",\"data\":{\"b\":[2,{\"d\":4,\"c\":3}],\"a\":1}}]}}";

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");

    @Test
    void a_repeated_synchronous_request_returns_the_agent_s_answer() {
        Response first = send(INVOKE, KEY, BODY);
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        gateway.block("agents/a");
        gateway.system().clock().advance(Duration.ofHours(23));
        for (String key : List.of(KEY, KEY.replace("\"", ""))) {
            Response again = send(INVOKE, key, SAME_BODY);
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.text()).as("also after the agent was blocked").isEqualTo(first.text());
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
        assertThat(gateway.receipt(receiptId(first)).path("output"))
                .as("the answer is stored, so the receipt shows it")
                .isEqualTo(first.json().path("output"));
    }

    @Test
    void a_repeated_synchronous_request_returns_the_agent_s_failure() {
        server.plays(AgentScripts.task("failed"));
        Response first = send(INVOKE, KEY, BODY);
        assertThat(first.json().path("error").asText()).isEqualTo("agent_task_failed");
        server.plays(AgentScripts.message());
        assertThat(send(INVOKE, KEY, BODY).text()).isEqualTo(first.text());
        assertThat(server.connections()).isEqualTo(1);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
    }

    @Test
    void a_repeated_request_during_the_call_is_refused() {
        List<Response> meanwhile = new ArrayList<>();
        server.plays((request, out) -> {
            meanwhile.add(send(INVOKE, KEY, BODY));
            AgentScripts.message().play(request, out);
        });
        Response first = send(INVOKE, KEY, BODY);
        assertThat(first.status()).isEqualTo(200);
        assertThat(meanwhile).singleElement().satisfies(again -> {
            assertThat(again.status()).isEqualTo(409);
            assertThat(again.header("Retry-After")).isEqualTo("1");
            assertThat(again.json().path("error").asText()).isEqualTo("invocation_in_progress");
            assertThat(receiptId(again)).isEqualTo(receiptId(first));
        });
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void a_repeated_asynchronous_request_returns_the_same_receipt() {
        Response first = send(ASYNC, KEY, BODY);
        assertThat(first.status()).as(first.text()).isEqualTo(202);
        Response again = send(ASYNC, KEY, SAME_BODY);
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(gateway.deliver()).isZero();
        Response later = send(ASYNC, KEY, BODY);
        assertThat(receiptId(later)).isEqualTo(receiptId(first));
        assertThat(later.json().path("status").asText()).isEqualTo("succeeded");
        int messages = gateway.system().sqs().messages().size();
        send(ASYNC, KEY, BODY);
        assertThat(gateway.system().sqs().messages())
                .as("only a message that may be missing in the queue is sent again")
                .hasSize(messages);
        assertThat(gateway.deliver()).isZero();
        assertThat(server.connections()).isEqualTo(1);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);
    }

    @Test
    void a_repeated_request_does_not_hasten_a_waiting_retry() {
        gateway.agent("gone", "https://nowhere.test/", "");
        send("gone", TestSystem.OTHER_AGENT_KEY, ASYNC, KEY, BODY);
        assertThat(gateway.deliver()).isEqualTo(1);
        Response again = send("gone", TestSystem.OTHER_AGENT_KEY, ASYNC, KEY, BODY);
        assertThat(again.json().path("status").asText()).isEqualTo("accepted");
        assertThat(gateway.system().sqs().messages()).hasSize(1);
    }

    @Test
    void a_key_with_a_different_request_is_refused() {
        Response first = send(INVOKE, KEY, BODY);
        for (String other : List.of(
                BODY.replace("5000", "5001"), BODY.replace(":1,", ":2,"), BODY.replace(",{\"c\"", ",2,{\"c\""))) {
            Response refused = send(INVOKE, KEY, other);
            assertThat(refused.status()).as(refused.text()).isEqualTo(422);
            assertThat(refused.json().path("error").asText()).isEqualTo("idempotency_key_reused");
            assertThat(refused.json().path("title").asText()).isEqualTo("Unprocessable Content");
            assertThat(refused.text()).doesNotContain(receiptId(first));
        }
        assertThat(server.connections()).isEqualTo(1);
        send(ASYNC, KEY, BODY);
        assertThat(send(ASYNC, KEY, GatewayHarness.HELLO).status()).isEqualTo(422);
    }

    @Test
    void caller_agent_key_and_route_distinguish_requests() {
        gateway.agent("b", server);
        Set<String> receipts = List.of(
                        send(INVOKE, KEY, BODY),
                        send(ASYNC, KEY, BODY),
                        send(INVOKE, "another", BODY),
                        send("b", TestSystem.OTHER_AGENT_KEY, INVOKE, KEY, BODY),
                        send("a", TestSystem.COORDINATOR_KEY, INVOKE, KEY, BODY),
                        gateway.invoke("a", BODY),
                        gateway.invoke("a", BODY))
                .stream()
                .map(RepeatedRequestTest::receiptId)
                .collect(Collectors.toSet());
        assertThat(receipts).hasSize(7).doesNotContain("");
    }

    @Test
    void an_invalid_key_is_refused() {
        for (String header : List.of("", "\"\"", "two words", "\"a\", \"b\"", "a,b", "ä")) {
            for (String how : List.of(INVOKE, ASYNC)) {
                Response refused = send(how, header, BODY);
                assertThat(refused.status()).isEqualTo(400);
                assertThat(refused.json().path("errors").findValuesAsText("field"))
                        .containsExactly("Idempotency-Key");
            }
        }
        assertThat(server.connections()).isZero();
        assertThat(gateway.system().sqs().messages()).isEmpty();
    }

    @Test
    void an_idempotency_record_is_kept_as_long_as_its_receipt() {
        Response first = send(INVOKE, KEY, BODY);
        gateway.system().clock().advanceSeconds(86_399);
        assertThat(receiptId(send(INVOKE, KEY, BODY))).isEqualTo(receiptId(first));
        gateway.system().clock().advanceSeconds(1);
        Response fresh = send(INVOKE, KEY, GatewayHarness.HELLO);
        assertThat(fresh.status()).isEqualTo(200);
        assertThat(receiptId(fresh)).isNotEqualTo(receiptId(first));
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void after_the_receipt_is_erased_the_request_is_new() {
        String receiptId = receiptId(send(INVOKE, KEY, BODY));
        gateway.system().dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY)
                .key(Map.of("pk", AttributeValue.fromS("Z#" + receiptId), "sk", AttributeValue.fromS("Z"))));
        assertThat(receiptId(send(INVOKE, KEY, BODY))).isNotEqualTo(receiptId).startsWith("rcpt_");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void a_refused_request_is_new_when_it_is_repeated() {
        for (String how : List.of(INVOKE, ASYNC)) {
            gateway.block("agents/a");
            assertThat(send(how, KEY, BODY).status()).isEqualTo(403);
            gateway.unblock("agents/a");
            assertThat(send(how, KEY, BODY).status()).isLessThan(300);
        }
    }

    @Test
    void a_request_that_failed_at_the_queue_is_new_when_it_is_repeated() {
        gateway.system().sqs().failSend(SqsException.builder().build());
        assertThat(send(ASYNC, KEY, BODY).status()).isEqualTo(503);
        Response again = send(ASYNC, KEY, BODY);
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.json().path("status").asText()).isEqualTo("accepted");
        gateway.deliver();
        assertThat(gateway.receipt(receiptId(again)).path("status").asText()).isEqualTo("succeeded");
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {INVOKE, ASYNC})
    void of_concurrent_requests_one_calls_the_agent(String how) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(5);
        Callable<Response> request = () -> send(how, KEY, BODY);
        Set<String> receipts = Collections.synchronizedSet(new HashSet<>());
        for (Future<Response> done : threads.invokeAll(Collections.nCopies(16, request))) {
            assertThat(done.get().status()).as(done.get().text()).isIn(200, 202, 409);
            receipts.add(receiptId(done.get()));
        }
        threads.shutdown();
        gateway.deliver();
        assertThat(receipts).hasSize(1).doesNotContain("");
        assertThat(gateway.receipt(receipts.iterator().next()).path("status").asText())
                .isEqualTo("succeeded");
        assertThat(server.connections()).isEqualTo(1);
        assertThat(gateway.outcomes("a").executions()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void after_any_failed_write_a_repeated_request_calls_the_agent_at_most_once(WriteFailure way) {
        for (String how : List.of(INVOKE, ASYNC)) {
            TestDynamoDb crashing;
            int write = 0;
            do {
                write++;
                gateway.system().clock().advanceSeconds(10);
                String agentId = how + "-" + write;
                ScriptedServer once = gateway.server().plays(AgentScripts.message());
                gateway.agent(agentId, once);
                crashing = new TestDynamoDb(gateway.system().dynamoDb()).failAt(write, way);
                try {
                    send(gateway.apiThrough(crashing), agentId, TestSystem.OTHER_AGENT_KEY, how, KEY, BODY);
                } catch (Crash e) {
                    assertThat(way).isIn(WriteFailure.CRASHES_BEFORE, WriteFailure.CRASHES_AFTER);
                }
                crashing.settle();
                Response again = send(agentId, TestSystem.OTHER_AGENT_KEY, how, KEY, BODY);
                assertThat(again.status()).as(again.text()).isIn(200, 202, 409);
                gateway.deliver();
                gateway.repair();
                Response end = send(agentId, TestSystem.OTHER_AGENT_KEY, how, KEY, BODY);
                assertThat(receiptId(end)).isEqualTo(receiptId(again)).isNotEmpty();
                assertThat(end.status()).as(end.text()).isIn(200, 202, 502);
                if (end.status() == 502) {
                    assertThat(end.json().path("error").asText()).isEqualTo("interrupted");
                    assertThat(end.json().has("agent_error")).isFalse();
                } else {
                    assertThat(end.json().path("status").asText()).isEqualTo("succeeded");
                    assertThat(once.connections()).isEqualTo(1);
                }
                assertThat(once.connections()).isLessThanOrEqualTo(1);
                assertThat(gateway.unsettled()).isEmpty();
            } while (crashing.hasFailed());
            assertThat(write - 1)
                    .as(
                            "limit, 3 permits, receipt, output, caller, end, outcome, receipt, 3 permits; limit, message, receipt")
                    .isEqualTo(how.equals(INVOKE) ? 13 : 3);
        }
    }

    @Test
    void idempotency_costs_a_read_a_transaction_in_place_of_a_write_and_the_stored_answer() {
        send(INVOKE, "warm", BODY);
        gateway.system().clock().advanceSeconds(1);
        gateway.system().meter().reset();
        send(INVOKE, KEY, BODY);
        assertThat(gateway.system().meter().operations())
                .as(
                        "limit; request, agent, owner's key, blocks, connection; permits; receipt, output; caller's key and successes, end; slice; settled; permits")
                .containsExactly(
                        "UpdateItem",
                        "GetItem",
                        "BatchGetItem",
                        "GetItem",
                        "BatchGetItem",
                        "GetItem",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem",
                        "TransactWriteItems",
                        "PutItem",
                        "GetItem",
                        "GetItem",
                        "PutItem",
                        "TransactWriteItems",
                        "Query",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem",
                        "UpdateItem");
        gateway.system().clock().advanceSeconds(1);
        gateway.system().meter().reset();
        send(INVOKE, KEY, BODY);
        assertThat(gateway.system().meter().operations())
                .as("limit; request, receipt, output")
                .containsExactly("UpdateItem", "GetItem", "GetItem", "GetItem");
    }

    @Test
    void neither_key_nor_message_is_stored() {
        send(INVOKE, "key-of-the-request", "{\"message\":\"secret-of-the-caller\"}");
        assertThat(TableContents.of(gateway.system().tables()).items().toString())
                .doesNotContain("key-of-the-request", "secret-of-the-caller");
    }

    private Response send(String how, String key, String body) {
        return send("a", TestSystem.OTHER_AGENT_KEY, how, key, body);
    }

    private Response send(String agentId, String apiKey, String how, String key, String body) {
        return send(gateway.api(), agentId, apiKey, how, key, body);
    }

    private static Response send(TestApi api, String agentId, String apiKey, String how, String key, String body) {
        return api.post("/v1/agents/" + agentId + "/" + how)
                .key(apiKey)
                .header("idempotency-key", key)
                .body(body)
                .send();
    }

    private static String receiptId(Response response) {
        return response.json().path("receipt_id").asText();
    }
}
