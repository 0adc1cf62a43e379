package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.workflow.PoolCapacity;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sweep counts the fleet from the rows it reads and writes figures only when they changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHM-08")
@Tag("AHS-18")
class FleetStatisticsSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void a_pass_counts_agents_by_lifecycle_status_health_score_and_group() {
        agent("good", "r1", "acme", HealthStatus.HEALTHY, 9_500);
        agent("bad", "r1", "globex", HealthStatus.UNHEALTHY, 3_000);
        agent("idle", "r2", "acme", HealthStatus.UNKNOWN, -1);
        TestAgent left = agent("left", "r2", "acme", HealthStatus.HEALTHY, 10_000);
        left.deregister();
        harness.sweep();
        AgentStatistics fleet = taken().statistics().fleet();
        assertThat(fleet.agents()).isEqualTo(3);
        assertThat(fleet.inactive()).isEqualTo(1);
        assertThat(fleet.meanScore()).contains(new BigDecimal("62.50"));
        assertThat(fleet.survivalRate()).contains(new BigDecimal("0.6667"));
        assertThat(fleet.healthyRate()).contains(new BigDecimal("0.5000"));
        assertThat(fleet.get(Statistic.of(LifecycleStatus.ACTIVE))).isEqualTo(3);
        assertThat(fleet.get(Statistic.of(LifecycleStatus.DEREGISTERED))).isEqualTo(1);
        assertThat(group(GroupKind.ROLE, "r1").meanScore()).contains(new BigDecimal("62.50"));
        assertThat(group(GroupKind.ROLE, "r2").meanScore()).isEmpty();
        assertThat(group(GroupKind.PROVIDER, "acme").survivalRate()).contains(new BigDecimal("1.0000"));
        assertThat(group(GroupKind.PLATFORM, "p").agents()).isEqualTo(3);
        assertThat(taken().asOf()).isEqualTo(harness.now());
    }

    @Test
    void a_dead_agent_counts_until_it_is_dismissed() {
        TestAgent silent = agent("silent", "r", "acme", HealthStatus.HEALTHY, 9_500);
        harness.passTime(90);
        assertThat(taken().statistics().fleet().healthy()).isEqualTo(1);
        harness.passTime(60);
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(taken().statistics().fleet().get(Statistic.HEALTH_DEGRADED)).isEqualTo(1);
        harness.passTime(210);
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(taken().statistics().fleet().dead()).isEqualTo(1);
        assertThat(taken().statistics().fleet().get(Statistic.VERDICT_DOWN)).isEqualTo(1);
        assertThat(taken().statistics().fleet().get(Statistic.HEALTH_UNHEALTHY)).isZero();
        assertThat(taken().statistics().fleet().meanScore()).contains(new BigDecimal("95.00"));
        assertThat(taken().statistics().fleet().agents()).isEqualTo(1);
        harness.system().clock().advance(Duration.ofDays(29));
        harness.sweep();
        harness.passTime(60);
        assertThat(taken().statistics().fleet().dead()).as("after 29 days").isEqualTo(1);
        assertThat(listed(Map.of("verdict", "down"))).isEqualTo(Map.of("down", 1L));
        silent.dismiss("scrapped");
        harness.passTime(60);
        assertThat(taken().statistics().fleet()).isEqualTo(AgentStatistics.NONE);
        assertThat(silent.stored().archived()).isTrue();
        assertThat(listed(Map.of("verdict", "down"))).isEmpty();
        assertThat(listed(Map.of("verdict", "gone"))).isEqualTo(Map.of("gone", 1L));
    }

    @Test
    void figures_that_stay_the_same_are_not_written_again_and_are_as_of_the_last_pass_but_one() {
        TestAgent agent = agent("agent", "r", "acme", HealthStatus.HEALTHY, 9_500);
        harness.passToTheNextMinute();
        harness.passTime(120, agent::sendHeartbeat);
        for (int i = 0; i < 3; i++) {
            harness.system().meter().reset();
            harness.passTime(SweepHarness.TICK, agent::sendHeartbeat);
            assertThat(harness.system().meter().operations())
                    .filteredOn("PutItem"::equals)
                    .as("the counts of each minute")
                    .hasSize(i % 2);
            assertThat(taken().asOf()).isEqualTo(harness.now().minusSeconds(SweepHarness.TICK));
        }
    }

    @Test
    void figures_written_by_another_sweep_are_replaced() {
        Sweep other = harness.sweepThrough(harness.system().dynamoDb());
        TestAgent agent = agent("agent", "r", "acme", HealthStatus.HEALTHY, 9_500);
        second(() -> harness.sweep());
        put(agent, HealthStatus.DEGRADED, 7_000);
        second(() -> SweepHarness.run(other));
        assertThat(taken().statistics().fleet().healthy()).isZero();
        put(agent, HealthStatus.HEALTHY, 9_500);
        second(() -> harness.sweep());
        assertThat(taken().statistics().fleet().healthy())
                .as("the figures that this sweep wrote last")
                .isEqualTo(1);
        assertThat(taken().asOf()).isEqualTo(harness.now());
    }

    @Test
    @Tag("exhaustive")
    void only_the_largest_200_groups_of_a_kind_are_kept() {
        for (int i = 0; i < 205; i++) {
            for (int j = 0; j < (i < 200 ? 2 : 1); j++) {
                TestAgent agent = new TestAgent(harness.system(), "a-" + i + "-" + j);
                agent.register(",\"platform\":\"p" + i + "\"");
            }
        }
        harness.sweep();
        GroupStatistics platforms = taken().statistics().of(GroupKind.PLATFORM);
        assertThat(platforms.byNumber()).hasSize(StatisticsWriter.MAX_GROUPS);
        assertThat(platforms.others().agents()).isEqualTo(5);
        assertThat(platforms.of(GroupNumber.of("p204"))).isEqualTo(AgentStatistics.NONE);
    }

    @Test
    void agents_are_counted_during_a_blackout() {
        harness.publicApi().dropHeartbeats();
        agent("agent", "r", "acme", HealthStatus.HEALTHY, 9_500);
        harness.passTime(SweepHarness.TICK);
        assertThat(taken().statistics().fleet().agents()).isEqualTo(1);
    }

    @Test
    void verdicts_are_counted_as_lists_show_them() {
        agent("well", "r1", "acme", HealthStatus.HEALTHY, 9_500);
        agent("new", "r1", "acme", HealthStatus.UNKNOWN, -1);
        agent("slow", "r1", "acme", HealthStatus.DEGRADED, 9_500);
        agent("poor", "r2", "acme", HealthStatus.HEALTHY, 7_000);
        agent("failing", "r2", "acme", HealthStatus.UNHEALTHY, 9_500);
        agent("refused", "r2", "acme", HealthStatus.HEALTHY, 9_500);
        agent("of-globex", "r2", "globex", HealthStatus.HEALTHY, 9_500);
        TestAgent crashing = agent("crashing", "r2", "acme", HealthStatus.UNKNOWN, -1);
        crash(crashing, 3);
        crashing.sendHeartbeat();
        harness.block("agents/refused", "");
        harness.block("providers/globex", "");
        harness.sweep();
        assertThat(verdicts(taken().statistics().fleet())).isEqualTo(listed(Map.of()));
        assertThat(verdicts(taken().statistics().fleet()))
                .isEqualTo(Map.of("ok", 1L, "unknown", 1L, "degraded", 3L, "down", 1L, "blocked", 2L));
        for (String role : List.of("r1", "r2")) {
            assertThat(verdicts(group(GroupKind.ROLE, role))).as(role).isEqualTo(listed(Map.of("role_id", role)));
        }
        assertThat(verdicts(group(GroupKind.PROVIDER, "globex"))).isEqualTo(Map.of("blocked", 1L));
    }

    @Test
    void a_blocked_provider_counts_for_all_agents_of_the_keys_that_are_granted_it() {
        agent("of-another-key", "r", "acme", HealthStatus.HEALTHY, 9_500);
        String key = harness.system()
                .api()
                .post("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(
                        """
                        {"role":"agent","provider_ids":["acme","globex"]}\
                        """)
                .send()
                .json()
                .path("api_key")
                .asText();
        for (String provider : List.of("acme", "globex")) {
            assertThat(harness.system()
                            .api()
                            .post("/api/v1/agents")
                            .key(key)
                            .body("{\"agent_id\":\"of-%s\",\"provider_id\":\"%s\"}".formatted(provider, provider))
                            .send()
                            .status())
                    .isEqualTo(201);
        }
        harness.block("providers/globex", "");
        harness.sweep();
        assertThat(verdicts(taken().statistics().fleet()))
                .isEqualTo(Map.of("ok", 1L, "blocked", 2L))
                .isEqualTo(listed(Map.of()));
        assertThat(verdicts(group(GroupKind.PROVIDER, "acme"))).isEqualTo(Map.of("ok", 1L, "blocked", 1L));
    }

    @Test
    void a_verdict_that_ends_by_itself_is_counted_anew() {
        TestAgent crashing = agent("crashing", "r", "acme", HealthStatus.HEALTHY, 9_500);
        TestAgent refused = agent("refused", "r", "acme", HealthStatus.HEALTHY, 9_500);
        Runnable heartbeats = () -> List.of(crashing, refused).forEach(TestAgent::sendHeartbeat);
        crash(crashing, 3);
        harness.block("agents/refused", ",\"until\":\"" + harness.now().plusSeconds(60) + "\"");
        harness.passTime(50, heartbeats);
        assertThat(verdicts(taken().statistics().fleet())).isEqualTo(Map.of("degraded", 1L, "blocked", 1L));
        harness.passTime(10, heartbeats);
        assertThat(verdicts(taken().statistics().fleet())).isEqualTo(Map.of("degraded", 1L, "ok", 1L));
        harness.system().clock().advanceSeconds(3_600 - 60);
        heartbeats.run();
        harness.sweep();
        assertThat(verdicts(taken().statistics().fleet())).isEqualTo(Map.of("ok", 2L));
    }

    @Test
    void another_load_appears_in_the_pool_of_the_next_pass_and_the_same_load_writes_nothing() {
        register("loaded", "r", "acme", ",\"capacity\":{\"max_concurrent_tasks\":5}");
        TestAgent agent = new TestAgent(harness.system(), "loaded");
        harness.passToTheNextMinute();
        assertThat(activeOfRole("r")).isEqualTo(new PoolCapacity(1, 5, 0));
        agent.sendHeartbeat("active", ",\"current_load\":3");
        harness.passTime(10);
        assertThat(activeOfRole("r")).isEqualTo(new PoolCapacity(1, 5, 3));
        agent.sendHeartbeat("active", ",\"current_load\":3");
        harness.system().meter().reset();
        harness.passTime(10);
        assertThat(harness.system().meter().operations()).doesNotContain("PutItem");
    }

    private PoolCapacity activeOfRole(String role) {
        return group(GroupKind.ROLE, role).pool().orElseThrow().get(LifecycleStatus.ACTIVE);
    }

    private void crash(TestAgent agent, int times) {
        for (int i = 0; i < times; i++) {
            AgentProfile known = agent.stored().profile();
            register(agent.id(), known.roleId(), known.description().providerId(), ",\"replace\":true");
        }
        assertThat(agent.pulse().incarnation()).isEqualTo(1 + times);
    }

    private static Map<String, Long> verdicts(AgentStatistics figures) {
        return Verdict.COUNTED.stream()
                .filter(verdict -> figures.get(Statistic.of(verdict)) > 0)
                .collect(Collectors.toMap(Verdict::wireName, verdict -> figures.get(Statistic.of(verdict))));
    }

    /** The number of rows of each verdict in a list. */
    private Map<String, Long> listed(Map<String, String> filters) {
        TestApi.Request request = harness.system().api().get("/api/v1/agents").key(TestSystem.ADMINISTRATOR_KEY);
        filters.forEach(request::query);
        return request.send().json().path("agents").findValuesAsText("verdict").stream()
                .collect(Collectors.groupingBy(verdict -> verdict, Collectors.counting()));
    }

    private void second(Runnable pass) {
        harness.system().clock().advanceSeconds(1);
        pass.run();
    }

    private AgentStatistics group(GroupKind kind, String name) {
        return taken().statistics().of(kind).of(GroupNumber.of(name));
    }

    private StatisticsStore.Snapshot taken() {
        return new StatisticsStore(harness.system().database()).latest().orElseThrow();
    }

    private TestAgent agent(String id, String role, String provider, HealthStatus status, int hundredths) {
        TestAgent agent = new TestAgent(harness.system(), id);
        register(id, role, provider, "");
        put(agent, status, hundredths);
        return agent;
    }

    private void register(String id, String role, String provider, String more) {
        assertThat(harness.system()
                        .api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body(
                                """
                                {"agent_id":"%s","role_id":"%s","provider_id":"%s","platform":"p"%s}\
                                """
                                        .formatted(id, role, provider, more))
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private void put(TestAgent agent, HealthStatus status, int hundredths) {
        assertThat(new FleetScan(harness.system().database()).putHealth(agent.id(), 1, status, false, hundredths))
                .isTrue();
    }
}
