package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.RequestRetries;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Heartbeats during faults of DynamoDB: no heartbeat is counted unacknowledged, no event is duplicated. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class HeartbeatFaultsTest {

    /** More failures than any retry limit. */
    private static final int LASTING = 3_000;

    private TestSystem system;
    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @AfterEach
    void clearFaults() {
        system.faults().clear();
    }

    @AfterAll
    void close() {
        system.close();
    }

    @Test
    void a_heartbeat_that_conflicts_with_a_transaction_is_retried() {
        TestAgent agent = newAgent();
        Instant before = system.clock().instant();
        for (int i = 0; i < 4; i++) {
            system.faults().conflictOn(UpdateItemRequest.class);
        }
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(agent.pulse().lastHeartbeatAt()).as("when it arrived").isEqualTo(before);
        // Four backoffs of at most 20, 40, 80 and 160 ms.
        assertThat(Duration.between(before, system.clock().instant()))
                .isBetween(Duration.ofMillis(4), Duration.ofMillis(300));
    }

    @Test
    void backoffs_have_jitter() {
        TestAgent agent = newAgent();
        List<Duration> waits = IntStream.range(0, 8)
                .mapToObj(i -> {
                    Instant before = system.clock().instant();
                    for (int j = 0; j < 6; j++) {
                        system.faults().conflictOn(UpdateItemRequest.class);
                    }
                    assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
                    return Duration.between(before, system.clock().instant());
                })
                .distinct()
                .toList();
        assertThat(waits).hasSizeGreaterThan(1);
    }

    @Test
    void lasting_conflicts_get_503() {
        TestAgent agent = newAgent();
        Instant before = system.clock().instant();
        for (int i = 0; i < LASTING; i++) {
            system.faults().conflictOn(UpdateItemRequest.class);
        }
        assertBusy(agent.sendHeartbeat());
        assertThat(Duration.between(before, system.clock().instant()))
                .isBetween(RequestRetries.MAX_DURATION.minusMillis(400), RequestRetries.MAX_DURATION);
        system.faults().clear();
        assertThat(agent.pulse().heartbeatCount()).isZero();
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @Test
    void throttling_is_retried_and_then_gets_503() {
        TestAgent agent = newAgent();
        for (int i = 0; i < 3; i++) {
            system.faults().throttleOn(UpdateItemRequest.class);
        }
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        for (int i = 0; i < LASTING; i++) {
            system.faults().throttleOn(UpdateItemRequest.class);
        }
        assertBusy(agent.sendHeartbeat());
    }

    @Test
    void a_lost_response_counts_the_heartbeat_twice_without_harm() {
        TestAgent agent = newAgent();
        Instant arrived = system.clock().instant();
        system.faults().loseAnswerOf(UpdateItemRequest.class);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(arrived);
        assertThat(agent.events()).hasSize(1);
    }

    @Test
    @Tag("R16-20")
    void a_heartbeat_that_is_counted_twice_does_not_end_a_drain_that_the_agent_does_not_know_of() {
        TestAgent agent = newAgent();
        assertThat(system.api()
                        .patch("/api/v1/agents/" + agent.id() + "/status")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .header("if-match", "*")
                        .body("{\"status\":\"draining\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        system.faults().loseAnswerOf(UpdateItemRequest.class);
        assertThat(agent.sendHeartbeat().json().get("agent_status").textValue()).isEqualTo("draining");
        assertThat(agent.sendHeartbeat().json().get("agent_status").textValue()).isEqualTo("deregistered");
    }

    @Test
    @Tag("R16-12")
    void a_recovery_with_a_lost_response_is_one_recovery_with_one_event() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        Response response = agent.sendHeartbeat("active", ",\"current_load\":2");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().get("agent_status").textValue()).isEqualTo("active");
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->unhealthy heartbeat_timeout",
                        "unhealthy->active heartbeat_resumed");
        agent.assertHistoryIsWhole("answer of a recovery lost");
    }

    @Test
    @Tag("R16-12")
    void a_recovery_that_conflicts_with_another_transaction_is_retried() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        for (int i = 0; i < 5; i++) {
            system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        }
        assertThat(agent.sendHeartbeat().json().get("agent_status").textValue()).isEqualTo("active");
        assertThat(agent.events()).hasSize(3);
        agent.assertHistoryIsWhole("conflicts of a recovery");
    }

    @Test
    @Tag("R16-12")
    void a_recovery_that_cannot_be_written_is_not_acknowledged_and_the_next_heartbeat_retries_it() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        for (int i = 0; i < LASTING; i++) {
            system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        }
        assertBusy(agent.sendHeartbeat());
        system.faults().clear();
        assertThat(agent.events()).hasSize(2);
        assertThat(agent.sendHeartbeat().json().get("agent_status").textValue()).isEqualTo("active");
        agent.assertHistoryIsWhole("recovery at the second try");
    }

    @Test
    @Tag("R16-12")
    void a_profile_that_cannot_be_read_only_delays_a_recovery() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        for (int i = 0; i < LASTING; i++) {
            system.faults().throttleOn(GetItemRequest.class);
        }
        assertBusy(agent.sendHeartbeat());
        system.faults().clear();
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        agent.assertHistoryIsWhole("profile throttled");
    }

    @Test
    @Tag("R16-19")
    void the_end_of_a_drain_with_a_lost_response_is_one_end_with_one_event() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        Response response = agent.sendHeartbeat("draining", ",\"current_load\":0");
        assertThat(response.status()).isEqualTo(200);
        assertThat(agent.changes()).hasSize(3).last().isEqualTo("draining->deregistered drain_completed");
        assertThat(response.json().get("agent_status").textValue()).isEqualTo("deregistered");
        agent.assertHistoryIsWhole("answer of a drain's end lost");
    }

    @Test
    void tasks_with_a_lost_response_are_stored_with_their_digest() {
        TestAgent agent = newAgent();
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"a\"]")
                        .status())
                .isEqualTo(200);
        assertThat(agent.stored().tasks()).containsExactly("a");
        system.meter().reset();
        agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"a\"]");
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
    }

    @Test
    void tasks_that_cannot_be_stored_are_not_acknowledged_and_are_stored_with_the_next_heartbeat() {
        TestAgent agent = newAgent();
        for (int i = 0; i < LASTING; i++) {
            system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        }
        assertBusy(agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"a\"]"));
        system.faults().clear();
        assertThat(agent.stored().tasks()).isEmpty();
        assertThat(agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"a\"]")
                        .status())
                .isEqualTo(200);
        assertThat(agent.stored().tasks()).containsExactly("a");
    }

    @Test
    @Tag("R16-16")
    void a_drift_event_with_a_lost_response_is_one_event() {
        TestAgent agent = newAgent();
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(agent.send(TestAgent.HEARTBEAT_BODY.formatted("2001-01-01T00:00:00Z"))
                        .status())
                .isEqualTo(200);
        assertThat(agent.events()).hasSize(2);
        agent.assertHistoryIsWhole("answer of a drift event lost");
    }

    private static void assertBusy(Response response) {
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isEqualTo("1");
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.json().get("error").textValue()).isEqualTo("temporarily_unavailable");
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
