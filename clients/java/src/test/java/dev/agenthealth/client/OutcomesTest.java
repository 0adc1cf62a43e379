package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.problem;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Outcomes travel with heartbeats and count once. */
class OutcomesTest {

    private final FakeRegistry registry = new FakeRegistry();
    private final ManagedAgent agent =
            registry.client().build().agent(Registration.of("a")).start();

    private void interval() {
        registry.scheduler.advance(Duration.ofSeconds(30));
    }

    private void record(int count) {
        for (int i = 0; i < count; i++) {
            agent.record(Outcome.success().latency(Duration.ofMillis(i)));
        }
    }

    @Test
    void an_outcome_says_what_happened() {
        agent.record(Outcome.failure(ErrorType.TIMEOUT)
                .latency(Duration.ofNanos(1_500_000))
                .receipt("rcpt_1")
                .slaBreached());

        interval();

        assertThat(registry.heartbeats().get(0).body().path("outcomes").get(0))
                .hasToString(
                        """
                        {"result":"failure","error_type":"timeout","latency_ms":1.5,"receipt_id":"rcpt_1",\
                        "sla_breached":true,"occurred_at":"2026-02-08T10:00:00Z"}\
                        """);
    }

    @Test
    void an_outcome_has_the_tokens_that_the_registry_accepts() {
        agent.record(Outcome.success()
                .usage(new Usage(-5, 2_000_000_000_000L).cached(3).calls(1, 2).model("m".repeat(101), "p")));

        interval();

        assertThat(registry.heartbeats().get(0).body().at("/outcomes/0/usage"))
                .hasToString(
                        "{\"input_tokens\":0,\"output_tokens\":1000000000000,\"cache_read_tokens\":3,\"model_calls\":1,"
                                + "\"tool_calls\":2,\"model\":\"" + "m".repeat(100) + "\",\"provider\":\"p\"}");
    }

    @Test
    @SuppressWarnings("try") // Calls end with their blocks.
    void calls_of_a_task_and_their_tokens_add_up_to_the_usage_of_its_outcome() throws Exception {
        agent.call(() -> {
            for (String model : List.of("small", "large", "large")) {
                try (Working call = agent.model();
                        Working sameCall = call.model()) {
                    sameCall.addUsage(new Usage(10, 1).cached(4).model(model, "p"));
                }
            }
            agent.tool().close();
            return agent.tool("search");
        });
        agent.run(() -> {});

        interval();

        assertThat(registry.heartbeats().get(0).body().at("/outcomes/0/usage"))
                .hasToString("{\"input_tokens\":30,\"output_tokens\":3,\"cache_read_tokens\":12,\"model_calls\":3,"
                        + "\"tool_calls\":2,\"model\":\"large\",\"provider\":\"p\"}");
        assertThat(registry.heartbeats().get(0).body().at("/outcomes/1").has("usage"))
                .isFalse();
    }

    @Test
    void expectations_have_limits_for_the_usage() {
        assertThat(Expectations.none()
                        .successRate(0.9)
                        .limit("tokens_per_hour", 5)
                        .countCached()
                        .onExceeded("block")
                        .json())
                .hasToString("{\"success_rate\":0.9,\"limits\":{\"tokens_per_hour\":5,\"count_cached\":true,"
                        + "\"on_exceeded\":\"block\"}}");
    }

    @Test
    void a_batch_that_was_not_answered_is_sent_again_as_it_was_and_new_outcomes_wait() {
        registry.goAway();
        record(3);
        interval();
        record(2);
        registry.comeBack();

        interval();
        interval();

        List<JsonNode> carrying = registry.heartbeats().stream()
                .map(Sent::body)
                .filter(body -> body.has("outcomes"))
                .toList();
        assertThat(carrying.stream().map(body -> body.path("batch_id").asText()).distinct())
                .hasSize(2);
        assertThat(carrying.subList(0, carrying.size() - 1)).allSatisfy(body -> assertThat(body.path("outcomes"))
                .isEqualTo(carrying.get(0).path("outcomes")));
        assertThat(carrying.get(carrying.size() - 1).path("outcomes")).hasSize(2);
    }

    @Test
    void a_dead_agent_sends_the_same_batch_again_after_it_registered() {
        record(1);
        registry.refuse("/heartbeat", 410, "agent_gone");
        interval();
        registry.accept("/heartbeat");
        registry.scheduler.advance(Duration.ofSeconds(45));

        assertThat(registry.heartbeats().get(1).body().path("batch_id"))
                .isEqualTo(registry.heartbeats().get(0).body().path("batch_id"));
    }

    @Test
    void many_outcomes_do_not_wait_for_the_heartbeat() {
        record(1_200);
        registry.scheduler.runDue();

        assertThat(registry.heartbeats()).isEmpty();
        assertThat(registry.sentTo("/outcomes").stream()
                        .map(sent -> sent.body().path("outcomes").size()))
                .containsExactly(500, 500, 200);
    }

    @Test
    void outcomes_that_are_refused_for_good_are_dropped_and_counted() {
        registry.add("/heartbeat", "'outcomes':{'status_code':400,'error':'invalid_request','detail':'Too old.'}");
        record(3);

        interval();
        interval();

        assertThat(agent.droppedOutcomes()).isEqualTo(3);
        assertThat(registry.heartbeats().get(1).body().has("outcomes")).isFalse();
        assertThat(agent.lastFailure()).isEmpty();
    }

    @Test
    void outcomes_for_which_the_registry_is_too_busy_are_sent_again() {
        registry.add("/heartbeat", "'outcomes':{'status_code':503,'error':'temporarily_unavailable'}");
        record(3);

        interval();
        interval();

        assertThat(registry.heartbeats().get(1).body().path("batch_id"))
                .isEqualTo(registry.heartbeats().get(0).body().path("batch_id"));
        assertThat(agent.droppedOutcomes()).isZero();
    }

    @Test
    void the_newest_outcomes_are_kept_while_the_registry_is_away() {
        registry.goAway();
        interval();
        record(OutcomeQueue.CAPACITY + 5);

        assertThat(agent.droppedOutcomes()).isEqualTo(5);
    }

    @Test
    void outcomes_in_the_last_heartbeat_of_a_replaced_process_are_counted_and_not_sent_again() {
        registry.refuse("/heartbeat", problem(410, "superseded"));
        record(2);

        interval();

        assertThat(registry.heartbeats()).hasSize(1);
        assertThat(registry.sentTo("/outcomes")).isEmpty();
        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.SUPERSEDED);
    }

    @Test
    void outcomes_of_a_drain_are_sent_before_it_ends() {
        record(700);
        agent.close();

        int sent = registry.heartbeats().stream()
                .mapToInt(heartbeat -> heartbeat.body().path("outcomes").size())
                .sum();
        int flushed = registry.sentTo("/outcomes").stream()
                .mapToInt(request -> request.body().path("outcomes").size())
                .sum();
        assertThat(sent + flushed).isEqualTo(700);
        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.DRAINED);
    }
}
