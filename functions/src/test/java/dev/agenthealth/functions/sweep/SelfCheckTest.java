package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.keys.KeySecret;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.sweep.PublicApi.Answer;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.SelfCheckResult;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** The self-check runs before the sweep changes the status of silent agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
class SelfCheckTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void before_marking_an_agent_as_dead_two_canaries_send_heartbeats_and_are_removed() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(280);
        assertThat(harness.publicApi().takeCanaryIds())
                .as("no agent was due to be marked as dead")
                .isEmpty();
        harness.passTime(30);
        List<String> canaries = harness.publicApi().takeCanaryIds();
        assertThat(canaries).hasSize(2).doesNotHaveDuplicates();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.rows())
                .extracting(row -> SweepHarness.text(row, "id"))
                .containsExactly("silent");
    }

    @Test
    void every_run_has_ids_and_credentials_of_its_own() {
        Set<String> keys = ConcurrentHashMap.newKeySet();
        Set<String> ids = ConcurrentHashMap.newKeySet();
        harness.publicApi().delegateTo((agentId, apiKey) -> {
            keys.add(apiKey);
            ids.add(agentId);
            return harness.publicApi().forward(agentId, apiKey);
        });
        for (int i = 0; i < 3; i++) {
            harness.agent("silent-" + i);
            harness.passTime(280);
            harness.passTime(30);
        }
        assertThat(keys).hasSize(6).allMatch(KeySecret::hasForm);
        assertThat(ids).hasSize(6);
    }

    @Test
    void canaries_use_every_address_that_agents_use() {
        Set<String> ofApi = ConcurrentHashMap.newKeySet();
        Set<String> ofFunctionUrl = ConcurrentHashMap.newKeySet();
        AtomicBoolean urlAnswers = new AtomicBoolean();
        Sweep sweep = new Sweep(
                harness.wiring(harness.system().dynamoDb(), Map.of()),
                (agentId, apiKey) -> {
                    ofApi.add(agentId);
                    return harness.publicApi().forward(agentId, apiKey);
                },
                (agentId, apiKey) -> {
                    ofFunctionUrl.add(agentId);
                    return urlAnswers.get() ? harness.publicApi().forward(agentId, apiKey) : Answer.FAILED;
                });
        TestAgent agent = harness.agent("silent");
        harness.use(sweep);
        harness.passTime(310);
        assertThat(agent.pulse().status())
                .as("agents that use the URL may be alive")
                .isEqualTo(LifecycleStatus.UNHEALTHY);
        urlAnswers.set(true);
        ofApi.clear();
        ofFunctionUrl.clear();
        harness.passTime(10);
        assertThat(ofApi).hasSize(2);
        assertThat(ofFunctionUrl).hasSize(2);
    }

    @Test
    void canaries_are_never_listed_counted_or_read() {
        harness.agent("silent");
        harness.passTime(300);
        Set<Integer> answers = ConcurrentHashMap.newKeySet();
        Set<String> listings = ConcurrentHashMap.newKeySet();
        Set<Object> counts = ConcurrentHashMap.newKeySet();
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicInteger nested = new AtomicInteger();
        harness.publicApi().delegateTo((agentId, apiKey) -> {
            TestApi api = harness.system().api();
            answers.add(api.get("/api/v1/agents/" + agentId)
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .send()
                    .status());
            answers.add(api.delete("/api/v1/agents/" + agentId)
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .send()
                    .status());
            listings.add(api.get("/api/v1/agents")
                    .query("status", "active,unhealthy,draining,dead,deregistered")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .send()
                    .text());
            if (nested.getAndIncrement() == 0) {
                // Another sweep counts while these canaries exist; its own canaries succeed at once.
                harness.publicApi().acceptHeartbeats();
                counts.add(SweepHarness.run(other).get("monitored"));
            }
            return harness.publicApi().forward(agentId, apiKey);
        });
        harness.passTime(10);
        assertThat(answers).containsExactly(404);
        assertThat(listings).isNotEmpty().noneMatch(listing -> listing.contains("canary-"));
        assertThat(counts).containsExactly(1L);
    }

    @Test
    void a_failed_self_check_changes_no_status_and_publishes_one_event() {
        TestAgent silent = harness.agent("silent");
        TestAgent draining = harness.agent("draining");
        harness.passTime(290);
        draining.sendHeartbeat("draining", ",\"current_load\":0");
        TestAgent idle = harness.agent("idle");
        harness.publicApi().dropHeartbeats();
        Instant begun = harness.now().plusSeconds(10 + SweepHarness.TICK);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        harness.passTime(10);
        harness.passTime(120, () -> {
            CompletableFuture<Map<String, Object>> parallel =
                    CompletableFuture.supplyAsync(() -> SweepHarness.run(other));
            harness.sweep();
            assertThat(parallel.join()).containsEntry("may_change_status", false);
        });
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(idle.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1).allSatisfy(event -> {
            assertThat(event.get("canaries_sent").intValue()).isEqualTo(2);
            assertThat(event.get("canaries_answered").intValue()).isZero();
            assertThat(event.get("timestamp").textValue()).isEqualTo(Timestamps.text(begun));
            assertThat(event.get("severity").textValue()).isEqualTo("critical");
        });
        assertThat(harness.registryEvents("registry.blackout_over")).isEmpty();
        assertThat(harness.rows()).as("no canary is left").hasSize(3);
    }

    @Test
    void after_a_blackout_a_grace_period_restarts_all_thresholds() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().dropHeartbeats();
        harness.passTime(600);
        harness.publicApi().acceptHeartbeats();
        harness.passTime(10);
        Instant over = harness.now();
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1).allSatisfy(event -> {
            assertThat(event.get("amnesty_from").textValue()).isEqualTo(Timestamps.text(over));
            assertThat(event.get("timestamp").textValue()).isEqualTo(Timestamps.text(over));
        });
        harness.passTime(300);
        assertThat(agent.pulse().status()).as("300 s after it").isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        JsonNode death = agent.events().get(2);
        assertThat(death.get("deadline_at").textValue()).isEqualTo(Timestamps.text(over.plusSeconds(300)));
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
    }

    @Test
    void the_next_blackout_is_a_new_episode() {
        harness.agent("silent");
        harness.passTime(300);
        for (int i = 1; i <= 2; i++) {
            harness.publicApi().dropHeartbeats();
            harness.passTime(50);
            harness.publicApi().acceptHeartbeats();
            harness.passTime(30);
            assertThat(harness.registryEvents("registry.blackout")).hasSize(i);
            assertThat(harness.registryEvents("registry.blackout_over")).hasSize(i);
            harness.passTime(270);
        }
    }

    @Test
    void two_sweeps_that_detect_the_same_blackout_at_different_times_publish_one_event() {
        harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().dropHeartbeats();
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                harness.system().clock().advanceSeconds(1);
                SweepHarness.run(other);
            }
        }));
        SweepHarness.run(slow);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
    }

    @Test
    void two_concurrent_sweeps_end_a_blackout_once() {
        harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().dropHeartbeats();
        harness.passTime(20);
        harness.publicApi().acceptHeartbeats();
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        CompletableFuture<Map<String, Object>> parallel = CompletableFuture.supplyAsync(() -> SweepHarness.run(other));
        harness.sweep();
        parallel.join();
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
    }

    @Test
    void ten_missing_heartbeats_start_a_self_check_though_no_agent_is_due_to_be_marked_as_dead() {
        List<TestAgent> agents = harness.agents("quiet-", 20);
        harness.publicApi().dropHeartbeats();
        harness.passTime(10);
        assertThat(harness.publicApi().takeCanaryIds())
                .as("6.7 heartbeats of 20 agents are due in 10 s")
                .isEmpty();
        harness.passTime(10);
        assertThat(harness.publicApi().takeCanaryIds()).as("and 13.3 in 20 s").isNotEmpty();
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        harness.passTime(300);
        assertThat(agents).allMatch(agent -> agent.pulse().status() == LifecycleStatus.ACTIVE);
        assertThat(agents).allMatch(agent -> agent.events().size() == 1);
    }

    @ParameterizedTest
    @CsvSource({
        "AA, 2, DEAD",
        "FAA, 3, DEAD",
        "AFA, 3, DEAD",
        "FF, 2, UNHEALTHY",
        "AFF, 3, UNHEALTHY",
        "FAF, 3, UNHEALTHY",
        "TAA, 3, DEAD",
        "TFTF, 4, UNHEALTHY",
        "TTATA, 5, DEAD",
        "TTTTA, 5, UNHEALTHY",
        "FATTT, 5, UNHEALTHY"
    })
    void the_majority_of_conclusive_heartbeats_decides(String answers, int sent, LifecycleStatus status) {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().takeCanaryIds();
        answer(answers);
        harness.passTime(10);
        assertThat(harness.publicApi().takeCanaryIds()).hasSize(sent);
        assertThat(agent.pulse().status()).isEqualTo(status);
        assertThat(harness.registryEvents("registry.blackout"))
                .hasSize(answers.chars().filter(answer -> answer == 'F').count() >= 2 ? 1 : 0);
    }

    /** Answers as in the text, then as its last character: A sends the heartbeat on, F loses it, T refuses it by a limit. */
    private void answer(String answers) {
        AtomicInteger next = new AtomicInteger();
        harness.publicApi().delegateTo((agentId, apiKey) -> switch (answers.charAt(
                Math.min(next.getAndIncrement(), answers.length() - 1))) {
            case 'A' -> harness.publicApi().forward(agentId, apiKey);
            case 'T' -> Answer.THROTTLED;
            default -> Answer.FAILED;
        });
    }

    @Test
    void throttled_canaries_put_deaths_off_and_are_a_blackout_after_a_minute() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        answer("T");
        harness.passTime(SelfCheckResult.MAX_INCONCLUSIVE.toSeconds());
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).isEmpty();
        harness.passTime(2 * SweepHarness.TICK);
        assertThat(harness.registryEvents("registry.blackout"))
                .as("agents are throttled too, so that their silence does not count")
                .hasSize(1);
        harness.publicApi().acceptHeartbeats();
        harness.passTime(10);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }

    @Test
    void registrations_that_are_not_answered_are_a_blackout_and_throttled_ones_are_not() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().answerRegistrations(Answer.FAILED);
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).singleElement().satisfies(event -> {
            assertThat(event.get("canaries_sent").intValue()).isEqualTo(4);
            assertThat(event.get("canaries_answered").intValue()).isEqualTo(2);
        });
        harness.publicApi().answerRegistrations(Answer.THROTTLED);
        harness.passTime(10);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
        harness.passTime(310);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
    }

    @Test
    void throttled_canaries_of_two_moments_are_no_blackout() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        answer("T");
        harness.passTime(20);
        harness.publicApi().acceptHeartbeats();
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        TestAgent later = harness.agent("later");
        harness.passTime(300);
        answer("T");
        harness.passTime(50);
        assertThat(harness.registryEvents("registry.blackout")).isEmpty();
        harness.publicApi().acceptHeartbeats();
        harness.passTime(10);
        assertThat(later.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    /** A new account has 10 executions at once; agents use 7 of them on average. */
    @Test
    void a_busy_account_of_ten_executions_neither_loses_a_death_nor_has_a_blackout() {
        Random random = new Random(34);
        AtomicInteger refused = new AtomicInteger();
        harness.publicApi().delegateTo((agentId, apiKey) -> {
            if (executionsInUse(random, 7) < 10) {
                return harness.publicApi().forward(agentId, apiKey);
            }
            refused.incrementAndGet();
            return Answer.THROTTLED;
        });
        List<TestAgent> agents = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            agents.add(harness.agent("silent-" + i));
            harness.passTime(20);
        }
        harness.passTime(330);
        assertThat(refused.get()).as("canaries that were throttled").isBetween(5, 60);
        assertThat(agents).allMatch(agent -> agent.pulse().status() == LifecycleStatus.DEAD);
        assertThat(harness.registryEvents("registry.blackout")).isEmpty();
    }

    /** Executions in use at a moment, 10 at most, where so many are wanted on average (Erlang's loss formula). */
    private static int executionsInUse(Random random, double wanted) {
        double[] weights = new double[11];
        double weight = 1;
        double sum = 0;
        for (int n = 0; n < weights.length; n++) {
            weight = n == 0 ? 1 : weight * wanted / n;
            weights[n] = weight;
            sum += weight;
        }
        double point = random.nextDouble() * sum;
        int used = 0;
        while (used < 10 && (point -= weights[used]) > 0) {
            used++;
        }
        return used;
    }

    @Test
    void a_response_without_a_stored_heartbeat_fails_the_self_check() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().delegateTo((agentId, apiKey) -> Answer.ACKNOWLEDGED);
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
    }

    @Test
    void no_agent_dies_while_the_clock_of_the_sweep_is_an_hour_ahead_of_that_of_heartbeats() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().delegateTo((agentId, apiKey) -> {
            harness.system().clock().advanceSeconds(-3_600);
            Answer answer = harness.publicApi().forward(agentId, apiKey);
            harness.system().clock().advanceSeconds(3_600);
            return answer;
        });
        harness.passTime(60);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        harness.publicApi().acceptHeartbeats();
        harness.passTime(400);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    void an_exception_of_the_public_api_fails_the_pass_and_leaves_no_canary() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(10);
        harness.publicApi().delegateTo((agentId, apiKey) -> {
            throw new IllegalStateException("the public API fails");
        });
        assertThatThrownBy(harness::sweep).hasMessage("the public API fails");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.publicApi().acceptHeartbeats();
        harness.sweep();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.rows()).hasSize(1);
    }

    @Test
    void canaries_of_an_interrupted_run_are_removed() {
        harness.agent("active");
        CanaryStore canaries = new CanaryStore(harness.system().database());
        canaries.place("canary-left", KeyHash.ofKey("gone"), harness.now());
        for (int i = 0; i < 30; i++) {
            harness.passTime(10);
            new TestAgent(harness.system(), "active").sendHeartbeat();
        }
        assertThat(harness.row("canary-left")).as("it may still be in use").isNotEmpty();
        harness.passTime(10);
        assertThat(harness.row("canary-left")).isEmpty();
        assertThat(harness.rows()).hasSize(1);
    }

    @Test
    void a_blackout_between_scan_and_self_check_marks_no_agent_as_dead() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                // Another sweep detects the begin and the end of a blackout while this one scans.
                harness.publicApi().dropHeartbeats();
                SweepHarness.run(other);
                harness.publicApi().acceptHeartbeats();
                SweepHarness.run(other);
            }
        }));
        SweepHarness.run(slow);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.passTime(310);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    void a_blackout_detected_by_another_sweep_during_the_scan_marks_no_agent_as_dead() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                harness.publicApi().dropHeartbeats();
                SweepHarness.run(other);
                harness.publicApi().acceptHeartbeats();
            }
        }));
        assertThat(SweepHarness.run(slow)).containsEntry("may_change_status", false);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
    }

    @Test
    void the_grace_period_covers_the_duration_of_the_self_check() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.publicApi().dropHeartbeats();
        harness.passTime(30);
        harness.publicApi().delegateTo((agentId, apiKey) -> {
            harness.system().clock().advanceSeconds(1);
            return harness.publicApi().forward(agentId, apiKey);
        });
        harness.passTime(30);
        JsonNode over = harness.registryEvents("registry.blackout_over").get(0);
        assertThat(over.get("amnesty_from").textValue())
                .as("the time of the last canary heartbeat")
                .isEqualTo(Timestamps.text(harness.now()));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }
}
