package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code .ci/check-platforms} runs one with the runtime of AWS Lambda. */
class CalledAgentTest {

    private static final String REGISTER = "POST /api/v1/agents";
    private static final String UPDATE = "PATCH /api/v1/agents/billing";
    private static final String REPORT = "POST /api/v1/agents/billing/outcomes";

    private final ManualScheduler time = new ManualScheduler();
    private final ScriptedTransport registry = new ScriptedTransport();

    /** Does at once what is due now, as a thread in the background would. */
    private final class AtOnce implements Scheduler {

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            time.pause(duration);
        }

        @Override
        public Waiting schedule(Duration delay, Runnable task) {
            if (delay.isZero()) {
                task.run();
                return () -> {};
            }
            return time.schedule(delay, task);
        }

        @Override
        public void close() {
            time.close();
        }
    }

    private CalledAgent agent(Scheduler scheduler, Registration registration) {
        return agent(scheduler, registration, DeathPolicy.REGISTER_AGAIN);
    }

    private CalledAgent agent(Scheduler scheduler, Registration registration, DeathPolicy policy) {
        return AgentHealthClient.builder("http://registry.test")
                .apiKey("ahk_test")
                .transport(registry)
                .scheduler(scheduler)
                .clock(time.clock(Instant.parse("2026-02-08T12:00:00Z")))
                .random(new Random(1))
                .build()
                .called(registration, policy);
    }

    private CalledAgent agent() {
        return agent(new AtOnce(), Registration.of("billing"));
    }

    private void answers(String route, int status, String code) {
        registry.script(request -> (request.method() + " " + request.uri().getPath()).equals(route)
                ? ScriptedTransport.problem(status, code)
                : ScriptedTransport.answer(200, "{}"));
    }

    private List<JsonNode> reports() {
        return IntStream.range(0, registry.requests().size())
                .filter(index -> registry.calls().get(index).equals(REPORT))
                .mapToObj(registry::body)
                .toList();
    }

    private List<String> outcomes() {
        return reports().stream()
                .flatMap(body -> StreamSupport.stream(body.path("outcomes").spliterator(), false))
                .map(one -> one.path("error_type").asText(one.path("result").asText()))
                .toList();
    }

    @Test
    void registers_once_and_reports_each_call_before_its_answer() {
        answers("", 0, "");
        CalledAgent agent = agent(new AtOnce(), Registration.of("billing").role("billing-processor"));
        assertThat(registry.calls()).isEmpty();
        assertThat(List.of(agent.call(() -> 1), agent.call(() -> 2))).containsExactly(1, 2);
        assertThat(registry.calls()).containsExactly(REGISTER, REPORT, REPORT);
        assertThat(registry.body(0))
                .hasToString(
                        """
                        {"agent_id":"billing","role_id":"billing-processor","heartbeat_config":{"mode":"none",\
                        "signs_of_life":["outcomes"]}}\
                        """);
    }

    @Test
    void tokens_of_a_call_are_those_of_its_outcome() {
        answers("", 0, "");
        CalledAgent agent = agent();
        agent.addUsage(new Usage(99, 9));
        agent.call(() -> {
            agent.addUsage(new Usage(5, 1).calls(1, 0).model("m", ""));
            agent.addUsage(new Usage(5, 1).calls(1, 0).model("m", ""));
            return 1;
        });
        agent.call(() -> 2);

        assertThat(reports().get(0).at("/outcomes/0/usage/input_tokens").asLong())
                .isEqualTo(10);
        assertThat(reports().get(0).at("/outcomes/0/usage/model_calls").asLong())
                .isEqualTo(2);
        assertThat(reports().get(1).at("/outcomes/0").has("usage")).isFalse();
    }

    @Test
    void an_agent_that_an_operator_ended_reports_nothing_more() {
        answers("", 0, "");
        CalledAgent agent = agent();
        agent.call(() -> 1);
        endedBy("operator");
        agent.call(() -> 2);
        time.advance(Duration.ofHours(1));
        answers("", 0, "");
        assertThat(agent.call(() -> 3)).isEqualTo(3);
        assertThat(registry.calls()).containsExactly(REGISTER, REPORT, REPORT);
    }

    @ParameterizedTest
    @CsvSource({"operator, ALWAYS_REGISTER_AGAIN", "owner, REGISTER_AGAIN", "registry, REGISTER_AGAIN"})
    void an_agent_that_somebody_else_ended_or_whose_policy_says_so_registers_again(String by, DeathPolicy policy) {
        answers("", 0, "");
        CalledAgent agent = agent(new AtOnce(), Registration.of("billing"), policy);
        agent.call(() -> 1);
        endedBy(by);
        agent.call(() -> 2);
        time.advance(Duration.ofHours(1));
        answers("", 0, "");
        agent.call(() -> 3);
        assertThat(registry.calls()).containsExactly(REGISTER, REPORT, REPORT, REGISTER, REPORT, REPORT);
    }

    private void endedBy(String by) {
        registry.script(request -> ScriptedTransport.answer(
                410,
                "{'status':410,'error':'agent_gone','detail':'x','ended_by':'" + by + "','reason':'deregistered'}"));
    }

    @Test
    void what_leaves_a_call_is_its_failure() {
        answers("", 0, "");
        CalledAgent agent = agent();
        assertThatThrownBy(() -> agent.call(() -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);
        assertThat(outcomes()).containsExactly("server_error");
    }

    @Test
    void changes_what_another_process_registered() {
        answers(REGISTER, 409, "agent_exists");
        CalledAgent agent =
                agent(new AtOnce(), Registration.of("billing").schedule(RunSchedule.every(Duration.ofMinutes(1))));
        agent.call(() -> 1);
        agent.call(() -> 2);
        assertThat(registry.calls()).containsExactly(REGISTER, UPDATE, REPORT, REPORT);
        JsonNode config = registry.body(1).path("heartbeat_config");
        assertThat(config.has("mode") && config.path("mode").isNull()).isTrue();
        assertThat(config.path("schedule").path("every_seconds").asInt()).isEqualTo(60);
        assertThat(registry.body(1).has("agent_id")).isFalse();
    }

    @Test
    void calls_go_on_while_the_registry_is_away() {
        CalledAgent agent = agent();
        for (int call = 0; call < 50; call++) {
            assertThat(agent.<String, RuntimeException>call(() -> "answer")).isEqualTo("answer");
        }
        // The first failure may be of a connection that ended while the process was frozen.
        assertThat(registry.calls()).containsExactly(REGISTER, REGISTER);
        answers("", 0, "");
        time.advance(Duration.ofHours(1));
        agent.call(() -> 1);
        assertThat(registry.calls()).containsExactly(REGISTER, REGISTER, REGISTER, REPORT);
        assertThat(outcomes()).hasSize(51);
        assertThat(reports().get(0).path("outcomes").path(0).path("occurred_at").asText())
                .isEqualTo("2026-02-08T12:00:00Z");
    }

    @Test
    void what_is_not_answered_counts_once_and_an_erased_agent_registers_again() {
        CalledAgent agent = agent();
        answers(REPORT, 503, "temporarily_unavailable");
        agent.call(() -> 1);
        answers(REPORT, 401, "unauthenticated");
        time.advance(Duration.ofMinutes(1));
        agent.call(() -> 2);
        answers(REPORT, 404, "agent_not_found");
        time.advance(Duration.ofMinutes(1));
        agent.call(() -> 3);
        answers("", 0, "");
        time.advance(Duration.ofMinutes(1));
        agent.call(() -> 4);
        assertThat(registry.calls()).containsExactly(REGISTER, REPORT, REPORT, REPORT, REGISTER, REPORT, REPORT);
        List<String> batches =
                reports().stream().map(body -> body.path("batch_id").asText()).toList();
        assertThat(batches.subList(0, 4)).containsOnly(batches.get(0));
        assertThat(outcomes().size() - 3).isEqualTo(4);
    }

    @Test
    void drops_outcomes_that_are_refused() {
        answers(REPORT, 422, "batch_id_reused");
        CalledAgent agent = agent();
        agent.call(() -> 1);
        agent.call(() -> 2);
        assertThat(reports())
                .allSatisfy(body -> assertThat(body.path("outcomes")).hasSize(1));
    }

    @Test
    void a_call_that_is_not_done_in_time_has_failed() {
        answers("", 0, "");
        CalledAgent agent = agent();
        agent.call(Duration.ofSeconds(30), () -> {
            time.advance(Duration.ofMillis(28_900));
            assertThat(outcomes()).isEmpty();
            time.advance(Duration.ofMillis(200));
            assertThat(outcomes()).containsExactly("timeout");
            return 1;
        });
        agent.call(Duration.ofSeconds(30), () -> 2);
        time.advance(Duration.ofMinutes(1));
        assertThat(outcomes()).containsExactly("timeout", "success");
    }

    @Test
    void a_registry_that_hangs_delays_one_answer() {
        CountDownLatch release = new CountDownLatch(1);
        registry.script(request -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return ScriptedTransport.answer(200, "{}");
        });
        try (Scheduler system = Scheduler.system()) {
            CalledAgent agent = agent(system, Registration.of("billing"));
            long begun = System.nanoTime();
            for (int call = 0; call < 20; call++) {
                agent.call(() -> 1);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
        } finally {
            release.countDown();
        }
    }
}
