package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.HookedDynamoDb;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** The registry listens to itself before it believes that agents are silent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
class SelfCheckTest {

    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @AfterAll
    void close() {
        harness.close();
    }

    @Test
    void before_a_death_five_canaries_beat_and_none_is_left_behind() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(280);
        assertThat(harness.door().asked()).as("nobody was dying").isEmpty();
        harness.passTime(30);
        List<String> canaries = harness.door().asked();
        assertThat(canaries).hasSize(5).doesNotHaveDuplicates();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.rows())
                .extracting(row -> SweepHarness.text(row, "id"))
                .containsExactly("dying");
    }

    @Test
    void every_run_has_ids_and_credentials_of_its_own() {
        Set<String> keys = ConcurrentHashMap.newKeySet();
        Set<String> ids = ConcurrentHashMap.newKeySet();
        harness.door().lead((agentId, apiKey) -> {
            keys.add(apiKey);
            ids.add(agentId);
            return harness.door().open(agentId, apiKey);
        });
        for (int i = 0; i < 3; i++) {
            harness.agent("dying-" + i);
            harness.passTime(280);
            harness.passTime(30);
        }
        assertThat(keys).hasSize(15).allMatch(key -> key.length() == 64);
        assertThat(ids).hasSize(15);
    }

    @Test
    void canaries_are_never_listed_counted_or_read() {
        harness.agent("dying");
        harness.passTime(300);
        Set<Integer> answers = ConcurrentHashMap.newKeySet();
        Set<String> listings = ConcurrentHashMap.newKeySet();
        Set<Object> counts = ConcurrentHashMap.newKeySet();
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicInteger nested = new AtomicInteger();
        harness.door().lead((agentId, apiKey) -> {
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
                // While these canaries stand, another sweep counts; its own canaries get through at once.
                harness.door().hear();
                counts.add(SweepHarness.run(other).get("monitored"));
            }
            return harness.door().open(agentId, apiKey);
        });
        harness.passTime(10);
        assertThat(answers).containsExactly(404);
        assertThat(listings).isNotEmpty().noneMatch(listing -> listing.contains("canary-"));
        assertThat(counts).containsExactly(1L);
    }

    @Test
    void a_deaf_registry_changes_nobodys_status_and_tells_so_once() {
        TestAgent silent = harness.agent("silent");
        TestAgent draining = harness.agent("draining");
        harness.passTime(290);
        draining.beat("draining", ",\"current_load\":0");
        TestAgent idle = harness.agent("idle");
        harness.door().goDeaf();
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
            assertThat(event.get("canaries_sent").intValue()).isEqualTo(5);
            assertThat(event.get("canaries_answered").intValue()).isZero();
            assertThat(event.get("timestamp").textValue()).isEqualTo(begun.toString());
            assertThat(event.get("severity").textValue()).isEqualTo("critical");
        });
        assertThat(harness.registryEvents("registry.blackout_over")).isEmpty();
        assertThat(harness.rows()).as("no canary is left").hasSize(3);
    }

    @Test
    void after_a_blackout_all_silence_is_forgiven_and_thresholds_pass_anew() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(300);
        harness.door().goDeaf();
        harness.passTime(600);
        harness.door().hear();
        harness.passTime(10);
        Instant over = harness.now();
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1).allSatisfy(event -> {
            assertThat(event.get("amnesty_from").textValue()).isEqualTo(over.toString());
            assertThat(event.get("timestamp").textValue()).isEqualTo(over.toString());
        });
        harness.passTime(300);
        assertThat(agent.pulse().status()).as("300 s after it").isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        JsonNode death = agent.events().get(2);
        assertThat(death.get("deadline_at").textValue())
                .isEqualTo(over.plusSeconds(300).toString());
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
    }

    @Test
    void the_next_blackout_is_another_episode() {
        harness.agent("silent");
        harness.passTime(300);
        for (int i = 1; i <= 2; i++) {
            harness.door().goDeaf();
            harness.passTime(50);
            harness.door().hear();
            harness.passTime(30);
            assertThat(harness.registryEvents("registry.blackout")).hasSize(i);
            assertThat(harness.registryEvents("registry.blackout_over")).hasSize(i);
            harness.passTime(270);
        }
    }

    @Test
    void two_sweeps_that_find_the_same_deafness_at_different_moments_tell_it_once() {
        harness.agent("silent");
        harness.passTime(300);
        harness.door().goDeaf();
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new HookedDynamoDb(harness.system().dynamoDb(), request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                harness.system().clock().advanceSeconds(1);
                SweepHarness.run(other);
            }
        }));
        SweepHarness.run(slow);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
    }

    @Test
    void two_sweeps_at_once_end_a_blackout_once() {
        harness.agent("silent");
        harness.passTime(300);
        harness.door().goDeaf();
        harness.passTime(20);
        harness.door().hear();
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        CompletableFuture<Map<String, Object>> parallel = CompletableFuture.supplyAsync(() -> SweepHarness.run(other));
        harness.sweep();
        parallel.join();
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
    }

    @Test
    void when_ten_heartbeats_are_missing_the_registry_listens_though_nobody_is_dying() {
        List<TestAgent> agents = harness.agents("quiet-", 20);
        harness.door().goDeaf();
        harness.passTime(10);
        assertThat(harness.door().asked())
                .as("20 agents promise 6.7 heartbeats in 10 s")
                .isEmpty();
        harness.passTime(10);
        assertThat(harness.door().asked()).as("and 13.3 in 20 s").isNotEmpty();
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        harness.passTime(300);
        assertThat(agents).allMatch(agent -> agent.pulse().status() == LifecycleStatus.ACTIVE);
        assertThat(agents).allMatch(agent -> agent.events().size() == 1);
    }

    @Test
    void one_missing_canary_of_five_is_deafness() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(280);
        Set<String> lost = new HashSet<>();
        harness.door().lead((agentId, apiKey) -> {
            synchronized (lost) {
                if (lost.isEmpty()) {
                    lost.add(agentId);
                }
                if (lost.contains(agentId)) {
                    return false;
                }
            }
            return harness.door().open(agentId, apiKey);
        });
        harness.passTime(30);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout"))
                .hasSize(1)
                .allMatch(event -> event.get("canaries_answered").intValue() == 4);
        assertThat(harness.door().asked()).as("the lost one was tried twice").hasSize(6);
    }

    @Test
    void an_answer_without_a_stored_heartbeat_is_not_heard() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(300);
        harness.door().lead((agentId, apiKey) -> true);
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
    }

    @Test
    void a_second_try_that_succeeds_is_heard() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(280);
        Set<String> tried = ConcurrentHashMap.newKeySet();
        harness.door()
                .lead((agentId, apiKey) -> !tried.add(agentId) && harness.door().open(agentId, apiKey));
        harness.passTime(30);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.registryEvents("registry.blackout")).isEmpty();
        assertThat(harness.door().asked()).hasSize(10);
    }

    @Test
    void a_door_that_breaks_fails_the_pass_and_leaves_no_canary() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(10);
        harness.door().lead((agentId, apiKey) -> {
            throw new IllegalStateException("no door");
        });
        assertThatThrownBy(harness::sweep).hasMessage("no door");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.door().hear();
        harness.sweep();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.rows()).hasSize(1);
    }

    @Test
    void canaries_of_a_run_that_did_not_end_are_removed() {
        harness.agent("beating");
        CanaryStore canaries = harness.system().stores().canaries();
        canaries.place("canary-left", KeyHash.ofKey("gone"), harness.now());
        for (int i = 0; i < 30; i++) {
            harness.passTime(10);
            new TestAgent(harness.system(), "beating").beat();
        }
        assertThat(harness.row("canary-left")).as("it may still be in use").isNotEmpty();
        harness.passTime(10);
        assertThat(harness.row("canary-left")).isEmpty();
        assertThat(harness.rows()).hasSize(1);
    }

    @Test
    void silence_that_the_registry_caused_between_reading_and_listening_kills_nobody() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new HookedDynamoDb(harness.system().dynamoDb(), request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                // Another sweep finds the registry deaf, and hearing again, while this one reads.
                harness.door().goDeaf();
                SweepHarness.run(other);
                harness.door().hear();
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
    void a_blackout_that_another_sweep_found_meanwhile_kills_nobody_either() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(10);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new HookedDynamoDb(harness.system().dynamoDb(), request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                harness.door().goDeaf();
                SweepHarness.run(other);
                harness.door().hear();
            }
        }));
        assertThat(SweepHarness.run(slow)).containsEntry("may_change_status", false);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        assertThat(harness.registryEvents("registry.blackout_over")).hasSize(1);
    }

    @Test
    void what_was_silent_while_the_canaries_waited_is_forgiven_as_well() {
        TestAgent agent = harness.agent("dying");
        harness.passTime(300);
        harness.door().goDeaf();
        harness.passTime(30);
        harness.door().lead((agentId, apiKey) -> {
            harness.system().clock().advanceSeconds(1);
            return harness.door().open(agentId, apiKey);
        });
        harness.passTime(30);
        JsonNode over = harness.registryEvents("registry.blackout_over").get(0);
        assertThat(over.get("amnesty_from").textValue())
                .as("the moment the five were heard")
                .isEqualTo(harness.now().toString());
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }
}
