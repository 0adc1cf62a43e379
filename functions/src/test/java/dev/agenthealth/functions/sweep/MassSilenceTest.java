package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.storage.system.DeathQuotaStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** During a mass silence agents are marked as unhealthy as usual, but as dead at a limited rate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
class MassSilenceTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
        harness.passToTheNextMinute();
    }

    @Test
    void forty_nine_silent_agents_are_marked_as_dead_in_one_pass() {
        List<TestAgent> fleet = harness.fleet("a-", 49, SweepHarness.SHORT_LIVED);
        harness.passTime(60);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(49);
        assertThat(harness.registryEvents("registry.mass_silence")).isEmpty();
    }

    @Test
    @Tag("exhaustive")
    void of_fifty_silent_agents_all_are_marked_unhealthy_and_five_per_minute_dead() {
        List<TestAgent> fleet = harness.fleet("a-", 50, SweepHarness.SHORT_LIVED);
        harness.passTime(30);
        assertThat(SweepHarness.in(LifecycleStatus.UNHEALTHY, fleet)).isEqualTo(50);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1).allSatisfy(event -> {
            assertThat(event.get("monitored_agents").intValue()).isEqualTo(50);
            assertThat(event.get("silent_agents").intValue()).isEqualTo(50);
            assertThat(event.get("deaths_per_minute").intValue()).isEqualTo(5);
            assertThat(event.get("severity").textValue()).isEqualTo("critical");
        });
        harness.passTime(29);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet))
                .as("the passes of one minute share its limit")
                .isEqualTo(5);
        // With 45 agents left the fleet is too small for a mass silence.
        harness.passTime(30);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(50);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
        assertThat(harness.state()).doesNotContainKeys("mass_silence", "deaths", "death_minute");
        fleet.forEach(agent -> agent.assertHistoryIsWhole("mass silence"));
    }

    @Test
    void below_fifty_five_percent_silent_there_is_no_limit() {
        List<TestAgent> silent = harness.fleet("silent-", 54, SweepHarness.SHORT_LIVED);
        List<TestAgent> active = harness.fleet("active-", 46, SweepHarness.SHORT_LIVED);
        harness.passTime(50, () -> sendHeartbeats(active));
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, silent)).isEqualTo(54);
        assertThat(harness.registryEvents("registry.mass_silence")).isEmpty();
    }

    @Test
    void from_fifty_five_percent_silent_ten_percent_per_minute_are_marked_as_dead() {
        List<TestAgent> silent = harness.fleet("silent-", 55, SweepHarness.SHORT_LIVED);
        List<TestAgent> active = harness.fleet("active-", 45, SweepHarness.SHORT_LIVED);
        harness.passTime(50, () -> sendHeartbeats(active));
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, silent)).isEqualTo(10);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
        assertThat(SweepHarness.in(LifecycleStatus.ACTIVE, active)).isEqualTo(45);
    }

    @Test
    @Tag("R16-20")
    void during_a_mass_silence_the_drain_deadlines_of_agents_that_send_heartbeats_are_kept() {
        List<TestAgent> silent = harness.fleet("silent-", 55, SweepHarness.SHORT_LIVED);
        List<TestAgent> busy = harness.fleet("busy-", 12, SweepHarness.SHORT_LIVED);
        harness.passTime(30, () -> sendHeartbeats(busy));
        harness.passTime(30, () -> sendHeartbeats(busy));
        long dead = SweepHarness.in(LifecycleStatus.DEAD, silent);
        assertThat(dead).isBetween(1L, 12L);
        busy.forEach(agent -> assertThat(harness.system()
                        .api()
                        .patch("/api/v1/agents/" + agent.id() + "/status")
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"status\":\"draining\",\"drain_timeout_seconds\":2}")
                        .send()
                        .status())
                .isEqualTo(200));
        harness.system().clock().advanceSeconds(3);
        harness.sweep();
        assertThat(SweepHarness.in(LifecycleStatus.DEREGISTERED, busy)).isEqualTo(12);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, silent))
                .as("drains take nothing from the limit on deaths")
                .isLessThan(55);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
    }

    @Test
    void the_end_of_a_mass_silence_is_published_once() {
        List<TestAgent> fleet = harness.fleet("a-", 50, SweepHarness.SHORT_LIVED);
        harness.passTime(30);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
        assertThat(harness.registryEvents("registry.mass_silence_over")).isEmpty();
        sendHeartbeats(fleet.subList(0, 40));
        harness.sweep();
        harness.sweep();
        assertThat(harness.registryEvents("registry.mass_silence_over"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.get("monitored_agents").intValue()).isEqualTo(50);
                    assertThat(event.get("silent_agents").intValue()).isEqualTo(10);
                    assertThat(event.get("severity").textValue()).isEqualTo("info");
                    assertThat(event.get("since").textValue())
                            .isEqualTo(harness.registryEvents("registry.mass_silence")
                                    .get(0)
                                    .get("timestamp")
                                    .textValue());
                });
        assertThat(harness.state()).doesNotContainKey("mass_silence");
    }

    @Test
    @Tag("exhaustive")
    void the_next_mass_silence_is_a_new_episode() {
        List<TestAgent> fleet = harness.fleet("a-", 60, SweepHarness.SHORT_LIVED);
        for (int i = 1; i <= 2; i++) {
            harness.passTime(30);
            assertThat(harness.registryEvents("registry.mass_silence")).hasSize(i);
            assertThat(harness.state()).containsKey("mass_silence");
            sendHeartbeats(fleet);
            harness.sweep();
            assertThat(harness.state()).doesNotContainKey("mass_silence");
            assertThat(SweepHarness.in(LifecycleStatus.ACTIVE, fleet)).isEqualTo(60);
        }
    }

    @Test
    @Tag("exhaustive")
    void two_sweeps_that_detect_the_same_mass_silence_at_different_times_publish_one_event() {
        harness.fleet("a-", 60, SweepHarness.SHORT_LIVED);
        harness.system().clock().advanceSeconds(30);
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep slow = harness.sweepThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof ScanRequest && first.getAndSet(false)) {
                harness.system().clock().advanceSeconds(1);
                SweepHarness.run(other);
            }
        }));
        SweepHarness.run(slow);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
    }

    @Test
    @Tag("exhaustive")
    void concurrent_sweeps_share_the_limit_of_a_minute() {
        List<TestAgent> fleet = harness.fleet("a-", 100, SweepHarness.SHORT_LIVED);
        harness.passTime(30);
        harness.system().clock().advanceSeconds(20);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<CompletableFuture<Map<String, Object>>> passes = IntStream.range(0, 4)
                .mapToObj(i -> harness.sweepThrough(harness.system().dynamoDb()))
                .map(sweep -> CompletableFuture.supplyAsync(() -> SweepHarness.run(sweep), threads))
                .toList();
        long markedDead = passes.stream()
                .mapToLong(pass -> (Long) pass.join().get("dead"))
                .sum();
        threads.shutdown();
        assertThat(markedDead)
                .isEqualTo(SweepHarness.in(LifecycleStatus.DEAD, fleet))
                .isBetween(1L, 10L);
        harness.passTime(5);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isBetween(1L, 10L);
        assertThat(harness.registryEvents("registry.mass_silence")).hasSize(1);
    }

    @Test
    @Tag("exhaustive")
    void a_sweep_started_in_the_previous_minute_uses_the_current_allowance() {
        DeathQuotaStore deaths = new DeathQuotaStore(harness.system().database());
        Instant minute = harness.now();
        Instant before = minute.minusSeconds(1);
        assertThat(take(deaths, before, 4, 10)).isEqualTo(4);
        assertThat(take(deaths, minute, 7, 10)).isEqualTo(7);
        assertThat(take(deaths, before, 10, 10))
                .as("of the minute that has begun")
                .isEqualTo(3);
        assertThat(take(deaths, minute, 10, 10)).isZero();
        assertThat(take(deaths, before, 10, 10)).isZero();
        assertThat(take(deaths, minute.plusSeconds(60), 10, 10)).isEqualTo(10);
    }

    @Test
    @Tag("exhaustive")
    void an_allowance_in_the_far_future_does_not_block_marking_as_dead() {
        DeathQuotaStore deaths = new DeathQuotaStore(harness.system().database());
        assertThat(take(deaths, harness.now().plus(Duration.ofDays(365)), 10, 10))
                .isEqualTo(10);
        assertThat(take(deaths, harness.now(), 10, 10)).isEqualTo(10);
        assertThat(take(deaths, harness.now(), 10, 10)).isZero();
    }

    @Test
    @Tag("exhaustive")
    void the_allowance_used_by_a_crashed_pass_is_lost_for_its_minute_only() {
        List<TestAgent> fleet = harness.fleet("a-", 100, SweepHarness.SHORT_LIVED);
        harness.passTime(30);
        harness.system().clock().advanceSeconds(20);
        // The pass's start, four canary writes, the allowance.
        TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(6, WriteFailure.CRASHES_AFTER);
        Sweep sweep = harness.sweepThrough(crashing);
        assertThatThrownBy(() -> SweepHarness.run(sweep)).isNotNull();
        assertThat(harness.state().get("deaths").n()).isEqualTo("10");
        harness.sweep();
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isZero();
        harness.passTime(30);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(10);
    }

    @Test
    @Tag("exhaustive")
    void a_changed_configuration_applies_to_the_next_pass() {
        List<TestAgent> fleet = harness.fleet("a-", 60, SweepHarness.SHORT_LIVED);
        harness.passTime(50);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(6);
        harness.configure(1, 200_000, new MassSilenceRule(1_000, 55, 10));
        harness.passTime(5);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(60);
    }

    private static long take(DeathQuotaStore deaths, Instant now, long wanted, long perMinute) {
        return deaths.take(now, Map.of(1L, wanted), perMinute).get(1L);
    }

    private static void sendHeartbeats(List<TestAgent> agents) {
        agents.forEach(agent -> assertThat(agent.sendHeartbeat().status()).isEqualTo(200));
    }
}
