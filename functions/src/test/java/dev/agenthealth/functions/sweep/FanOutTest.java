package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.core.exception.SdkClientException;

/** A fleet too large for one invocation is divided into shards, with the same result. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
class FanOutTest {

    private static final int FAN_OUT_AGENTS = 30;

    private final SweepHarness harness = new SweepHarness();
    private final Sweep shards = harness.sweepThrough(harness.system().dynamoDb());
    private volatile Predicate<Map<String, Object>> breaks = request -> false;
    private final WorkerServer server = new WorkerServer(request -> {
        if (breaks.test(request)) {
            throw new IllegalStateException("a shard broke");
        }
        assertThat(Sweep.isShard(request)).isTrue();
        return shards.shard(request, TestContext.of("SweepFunction"));
    });
    private final Sweep sharing = harness.sweepThrough(harness.system().dynamoDb(), server::client);

    @BeforeEach
    void start() {
        breaks = request -> false;
        server.answer();
        harness.startAfresh();
    }

    @AfterAll
    void close() {
        server.close();
        harness.close();
    }

    @Test
    @Tag("slow")
    void a_divided_pass_has_the_same_result_as_a_pass_in_one_process() {
        server.forget();
        List<Map<String, Object>> alone = story("alone");
        assertThat(server.calls()).isEmpty();
        harness.startAfresh();
        harness.configure(1, FAN_OUT_AGENTS, MassSilenceRule.DEFAULT);
        harness.use(sharing);
        List<Map<String, Object>> shared = story("shared");
        assertThat(server.calls().size()).isGreaterThan(10);
        assertThat(server.calls()).anyMatch(request -> request.get("phase").equals("act"));
        assertThat(server.calls())
                .as("figures are counted once")
                .allMatch(request ->
                        request.get("phase").equals("act") != Boolean.TRUE.equals(request.get("statistics")));
        assertThat(shared).isEqualTo(alone);
    }

    @Test
    @Tag("exhaustive")
    void shards_share_the_limit_of_agents_marked_as_dead() {
        harness.passToTheNextMinute();
        List<TestAgent> fleet = harness.fleet("a-", 70, SweepHarness.SHORT_LIVED);
        harness.configure(1, FAN_OUT_AGENTS, MassSilenceRule.DEFAULT);
        harness.use(sharing);
        harness.passTime(45);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(7);
        harness.passTime(14);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(7);
    }

    @Test
    @Tag("exhaustive")
    void a_shard_that_fails_fails_the_pass_and_the_next_pass_finishes() {
        List<TestAgent> fleet = harness.fleet("a-", 45, SweepHarness.SHORT_LIVED);
        harness.configure(1, FAN_OUT_AGENTS, MassSilenceRule.DEFAULT);
        harness.use(sharing);
        harness.passTime(15);
        AtomicBoolean first = new AtomicBoolean(true);
        breaks = request -> request.get("phase").equals("act") && first.getAndSet(false);
        harness.system().clock().advanceSeconds(10);
        assertThatThrownBy(harness::sweep).hasMessageContaining("Unhandled");
        harness.passTime(10);
        assertThat(SweepHarness.in(LifecycleStatus.UNHEALTHY, fleet)).isEqualTo(45);
        fleet.forEach(agent -> agent.assertHistoryIsWhole("a shard that failed"));
        breaks = request -> request.get("phase").equals("count");
        harness.system().clock().advanceSeconds(10);
        assertThatThrownBy(harness::sweep).hasMessageContaining("Unhandled");
    }

    @Test
    @Tag("exhaustive")
    void a_shard_whose_response_is_lost_is_not_invoked_again_in_the_pass() {
        harness.passToTheNextMinute();
        List<TestAgent> fleet = harness.fleet("a-", 70, SweepHarness.SHORT_LIVED);
        harness.configure(1, FAN_OUT_AGENTS, MassSilenceRule.DEFAULT);
        harness.use(sharing);
        harness.passTime(35);
        harness.system().clock().advanceSeconds(10);
        AtomicBoolean counted = new AtomicBoolean(true);
        breaks = request -> {
            if (request.get("phase").equals("act") && counted.getAndSet(false)) {
                server.hangUp();
            }
            return false;
        };
        int before = acts();
        assertThatThrownBy(harness::sweep).isInstanceOf(SdkClientException.class);
        assertThat(acts() - before).as("at most one call per shard").isBetween(1, 3);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isBetween(1L, 7L);
        server.answer();
        harness.passTime(10);
        fleet.forEach(agent -> agent.assertHistoryIsWhole("lost answers"));
    }

    @Test
    @Tag("AHM-08")
    @Tag("AHS-18")
    @Tag("slow")
    void shards_count_the_same_statistics_and_mark_the_same_agents() {
        List<TestAgent> fleet =
                new ArrayList<>(harness.fleet("a-", 35, SweepHarness.SHORT_LIVED + ",\"provider_id\":\"acme\""));
        List<TestAgent> healthy = harness.agents("b-", 2);
        fleet.addAll(healthy);
        // The sweep does not mark an agent that is as it first registered.
        fleet.forEach(agent ->
                assertThat(agent.change("{\"name\":\"changed\"}").status()).isEqualTo(200));
        healthy.forEach(agent -> new FleetScan(harness.system().database())
                .putHealth(agent.id(), 1, HealthStatus.HEALTHY, false, 9_000));
        harness.settleMarks();
        harness.block("providers/acme", "");
        harness.block("agents/b-0", "");
        harness.sweep();
        FleetStatistics alone = statistics();
        Set<String> marked = harness.marked();
        assertThat(marked).hasSize(37);

        harness.configure(1, FAN_OUT_AGENTS, MassSilenceRule.DEFAULT);
        harness.use(sharing);
        // A sweep learns the size of the fleet from its pass before.
        harness.sweep();
        harness.settleMarks();
        server.forget();
        harness.system().clock().advanceSeconds(1);
        harness.sweep();
        assertThat(server.calls()).isNotEmpty();
        assertThat(statistics()).isEqualTo(alone);
        assertThat(alone.fleet().agents()).isEqualTo(37);
        assertThat(alone.of(GroupKind.PROVIDER).of(GroupNumber.of("acme")).agents())
                .isEqualTo(35);
        assertThat(alone.fleet().get(Statistic.VERDICT_BLOCKED)).isEqualTo(36);
        assertThat(harness.marked()).isEqualTo(marked);
    }

    private FleetStatistics statistics() {
        return new StatisticsStore(harness.system().database())
                .latest()
                .orElseThrow()
                .statistics();
    }

    /** Runs passes over agents that are active, silent, draining, deregistered or without key; returns the figures of all passes. */
    private List<Map<String, Object>> story(String name) {
        harness.system().addKey("key-of-" + name, Role.AGENT, Set.of());
        List<TestAgent> active = harness.fleet("active-", 30, SweepHarness.SHORT_LIVED);
        List<TestAgent> silent = harness.fleet("silent-", 25, SweepHarness.SHORT_LIVED);
        TestAgent draining = harness.agent("draining");
        TestAgent idle = harness.agent("idle");
        TestAgent leaving = harness.agent("leaving");
        harness.system()
                .api()
                .post("/api/v1/agents")
                .key("key-of-" + name)
                .body("{\"agent_id\":\"orphan\"}")
                .send();
        draining.sendHeartbeat("draining", ",\"current_load\":1");
        List<Map<String, Object>> numbers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            harness.system().clock().advanceSeconds(SweepHarness.TICK);
            active.forEach(TestAgent::sendHeartbeat);
            if (i == 1) {
                leaving.deregister();
                drain(idle);
                assertThat(new KeyStore(harness.system().database()).revoke("key-key-of-" + name))
                        .isTrue();
            }
            Map<String, Object> figures = new TreeMap<>(harness.sweep());
            figures.remove("duration_ms");
            numbers.add(figures);
        }
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, silent)).isEqualTo(25);
        assertThat(SweepHarness.in(LifecycleStatus.ACTIVE, active)).isEqualTo(30);
        assertThat(draining.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(idle.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        silent.forEach(agent -> agent.assertHistoryIsWhole(name));
        return numbers;
    }

    private void drain(TestAgent agent) {
        harness.system()
                .api()
                .patch("/api/v1/agents/" + agent.id() + "/status")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"status\":\"draining\"}")
                .send();
    }

    private int acts() {
        return (int) server.calls().stream()
                .filter(request -> request.get("phase").equals("act"))
                .count();
    }
}
