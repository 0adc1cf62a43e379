package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassRestartRule;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestContext;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While many agents restart, silent ones may wait for their registration: they are marked as unhealthy and not as dead. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
@Tag("slow")
class PostponedDeathsTest {

    /** Of those that restart, which then need one heartbeat only. */
    private static final String LONG_LIVED =
            ",\"heartbeat_config\":{\"interval_seconds\":60,\"unhealthy_after_seconds\":150,\"dead_after_seconds\":300}";

    private final SweepHarness harness = new SweepHarness();
    private final Sweep shards = harness.sweepThrough(harness.system().dynamoDb());
    private final WorkerServer server =
            new WorkerServer(request -> shards.shard(request, TestContext.of("SweepFunction")));

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @AfterAll
    void close() {
        server.close();
        harness.close();
    }

    @ParameterizedTest(name = "{0} agents for one invocation")
    @ValueSource(ints = {200_000, 30})
    void deaths_wait_until_no_mass_restarts(int fanOutAgents) {
        server.answer();
        harness.use(harness.sweepThrough(harness.system().dynamoDb(), server::client));
        harness.configure(1, fanOutAgents, MassSilenceRule.DEFAULT);
        List<TestAgent> fleet = harness.fleet("a-", MassRestartRule.MIN_RESTARTS + 20, SweepHarness.SHORT_LIVED);
        List<TestAgent> waiting = fleet.subList(MassRestartRule.MIN_RESTARTS, fleet.size());
        restart(fleet.subList(0, MassRestartRule.MIN_RESTARTS));
        harness.passTime(MassRestartRule.WINDOW.toSeconds() - SweepHarness.TICK);
        assertThat(SweepHarness.in(LifecycleStatus.UNHEALTHY, waiting)).isEqualTo(20);
        assertThat(harness.registryEvents("registry.mass_restart")).hasSize(1).allSatisfy(event -> {
            assertThat(event.get("monitored_agents").intValue()).isEqualTo(MassRestartRule.MIN_RESTARTS + 20);
            assertThat(event.get("restarted_agents").intValue()).isEqualTo(MassRestartRule.MIN_RESTARTS);
            assertThat(event.get("waiting_agents").intValue()).isEqualTo(20);
            assertThat(event.get("severity").textValue()).isEqualTo("warning");
        });
        assertThat(harness.registryEvents("registry.mass_restart_over")).isEmpty();
        assertThat(waiting.get(0).register(",\"replace\":true").status()).isEqualTo(201);
        harness.passTime(SweepHarness.TICK);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, waiting)).isEqualTo(19);
        assertThat(waiting.get(0).pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        String since = harness.registryEvents("registry.mass_restart")
                .get(0)
                .get("timestamp")
                .textValue();
        assertThat(harness.registryEvents("registry.mass_restart_over"))
                .singleElement()
                .satisfies(event -> assertThat(event.get("since").textValue()).isEqualTo(since));
        assertThat(harness.state()).doesNotContainKey("mass_restart");
        assertThat(server.calls().isEmpty()).isEqualTo(fanOutAgents > fleet.size());
    }

    @Test
    void fewer_restarts_postpone_nothing() {
        List<TestAgent> fleet = harness.fleet("a-", MassRestartRule.MIN_RESTARTS + 20, SweepHarness.SHORT_LIVED);
        restart(fleet.subList(0, MassRestartRule.MIN_RESTARTS - 1));
        harness.passTime(60);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(21);
        assertThat(harness.registryEvents("registry.mass_restart")).isEmpty();
    }

    @Test
    @Tag("R16-20")
    void a_mass_restart_that_postpones_no_death_is_not_reported() {
        List<TestAgent> fleet = harness.fleet("a-", MassRestartRule.MIN_RESTARTS + 1, SweepHarness.SHORT_LIVED);
        TestAgent busy = fleet.get(MassRestartRule.MIN_RESTARTS);
        restart(fleet.subList(0, MassRestartRule.MIN_RESTARTS));
        assertThat(busy.sendHeartbeat().status()).isEqualTo(200);
        assertThat(harness.system()
                        .api()
                        .patch("/api/v1/agents/" + busy.id() + "/status")
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"status\":\"draining\",\"drain_timeout_seconds\":2}")
                        .send()
                        .status())
                .isEqualTo(200);
        harness.system().clock().advanceSeconds(3);
        harness.sweep();
        assertThat(busy.pulse().status().hasEnded())
                .as("its drain's deadline holds")
                .isTrue();
        harness.passTime(60);
        assertThat(harness.registryEvents("registry.mass_restart")).isEmpty();
    }

    @Test
    @Tag("exhaustive")
    @Tag("long")
    void a_death_is_postponed_for_an_hour_at_most() {
        List<TestAgent> fleet = harness.fleet("a-", MassRestartRule.MIN_RESTARTS + 20, SweepHarness.SHORT_LIVED);
        List<TestAgent> restarting = fleet.subList(0, MassRestartRule.MIN_RESTARTS);
        long begun = harness.now().getEpochSecond();
        while (SweepHarness.in(LifecycleStatus.DEAD, fleet) == 0) {
            register(restarting);
            harness.passTime(110);
        }
        assertThat(harness.now().getEpochSecond() - begun).isBetween(3_640L, 3_640L + 110);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(20);
        assertThat(harness.registryEvents("registry.mass_restart")).hasSize(1);
    }

    private static void restart(List<TestAgent> agents) {
        register(agents);
        agents.forEach(TestAgent::sendHeartbeat);
    }

    private static void register(List<TestAgent> agents) {
        agents.forEach(agent -> assertThat(
                        agent.register(",\"replace\":true" + LONG_LIVED).status())
                .isEqualTo(201));
    }
}
