package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.RequestRetries;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Every request gets a response before Lambda's timeout, with any storage latency and contention. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class RequestDeadlineTest {

    /** The timeout of most functions in the template. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The maximum duration of a storage call. */
    private static final Duration SLOWEST = Duration.ofMillis(2_500);

    @AutoClose
    private final TestSystem system = new TestSystem();

    private int agents;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST   | /api/v1/agents/{id}/heartbeat | {\"status\":\"draining\",\"client_timestamp\":\"2026-02-08T10:00:00Z\"}",
                "PATCH  | /api/v1/agents/{id}/status    | {\"status\":\"draining\"}",
                "PATCH  | /api/v1/agents/{id}           | {\"name\":\"another\"}",
                "DELETE | /api/v1/agents/{id}           | ''",
                "POST   | /api/v1/agents                | {\"agent_id\":\"{id}-next\"}",
                "POST   | /api/v1/intents/i/leases      | {\"agent_id\":\"{id}\",\"scope\":\"{id}\"}",
                "PUT    | /api/v1/workflows/{id}        | {\"agents\":{\"{id}\":{}}}",
                "POST   | /v1/admin/agents/{id}/block   | {\"reason\":\"test\"}",
            })
    void a_write_that_loses_every_race_on_the_slowest_storage_gets_503(String method, String path, String body) {
        TestAgent agent = newAgent();
        Response response = timed(
                request -> {
                    system.clock().advance(SLOWEST);
                    if (request instanceof TransactWriteItemsRequest) {
                        throw lostRace();
                    }
                },
                api -> api.request(method, path.replace("{id}", agent.id()))
                        .key(
                                path.contains("heartbeat") || path.equals("/api/v1/agents")
                                        ? TestSystem.AGENT_KEY
                                        : TestSystem.ADMINISTRATOR_KEY)
                        .header("if-match", method.equals("PATCH") ? "*" : "")
                        .body(body.replace("{id}", agent.id())),
                TIMEOUT);
        assertBusy(response);
        assertThat(agent.pulse().status().wireName()).isEqualTo("active");
        assertThat(agent.events()).hasSize(1);
    }

    @Test
    void a_heartbeat_gives_up_after_two_seconds_of_lost_races() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        List<DynamoDbRequest> transitions = new ArrayList<>();
        Response response = timed(
                request -> {
                    system.clock().advance(Duration.ofMillis(250));
                    if (request instanceof TransactWriteItemsRequest) {
                        transitions.add(request);
                        storeConcurrentHeartbeat(agent);
                    }
                },
                api -> sendHeartbeat(api, agent),
                RequestRetries.MAX_DURATION.plusSeconds(1));
        assertBusy(response);
        assertThat(transitions).as("0.75 s each").hasSize(3);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.pulse().status().wireName()).isEqualTo("active");
    }

    @Test
    @Tag("slow")
    void a_batch_gets_a_response_in_time_with_the_heartbeats_that_were_stored() {
        List<TestAgent> fleet =
                IntStream.range(0, 100).mapToObj(i -> newAgent()).toList();
        String heartbeats = fleet.stream()
                .map(agent -> "{\"agent_id\":\"" + agent.id() + "\",\"status\":\"active\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"}")
                .collect(Collectors.joining(",", "{\"heartbeats\":[", "]}"));
        Response response = timed(
                request -> {
                    system.clock().advance(Duration.ofMillis(100));
                    if (request instanceof UpdateItemRequest && system.clock().millis() % 400 < 300) {
                        throw TransactionConflictException.builder().build();
                    }
                },
                api -> api.post("/api/v1/heartbeats").key(TestSystem.AGENT_KEY).body(heartbeats),
                // Eight threads advance the same clock concurrently.
                TIMEOUT.plusSeconds(2));
        assertThat(response.status()).isEqualTo(200);
        int counted = 0;
        for (int i = 0; i < 100; i++) {
            int status =
                    response.json().get("results").get(i).get("status_code").intValue();
            assertThat(fleet.get(i).pulse().heartbeatCount()).isEqualTo(status == 200 ? 1 : 0);
            assertThat(status).isIn(200, 503);
            counted += status == 200 ? 1 : 0;
        }
        assertThat(counted).as("of 100, in 7 s of many conflicts").isBetween(1, 99);
    }

    private Response timed(
            Consumer<DynamoDbRequest> storage, Function<TestApi, TestApi.Request> request, Duration maxDuration) {
        Instant begun = system.clock().instant();
        TestApi api = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(storage));
        Response response = request.apply(api).send(TestContext.lasting(system.clock(), TIMEOUT));
        assertThat(Duration.between(begun, system.clock().instant())).isLessThan(maxDuration);
        return response;
    }

    private static void assertBusy(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isEqualTo("1");
    }

    private TestApi.Request sendHeartbeat(TestApi api, TestAgent agent) {
        return api.post("/api/v1/agents/" + agent.id() + "/heartbeat")
                .key(TestSystem.AGENT_KEY)
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()));
    }

    private void storeConcurrentHeartbeat(TestAgent agent) {
        system.dynamoDb().updateItem(r -> r.tableName(TestTables.PULSES)
                .key(Map.of("id", AttributeValue.fromS(agent.id())))
                .updateExpression("ADD n :one")
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    }

    private static TransactionCanceledException lostRace() {
        return TransactionCanceledException.builder()
                .cancellationReasons(CancellationReason.builder()
                        .code("ConditionalCheckFailed")
                        .build())
                .build();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
