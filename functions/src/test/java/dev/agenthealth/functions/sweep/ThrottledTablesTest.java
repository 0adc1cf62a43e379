package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.Trouble;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * DynamoDB throttles for ten minutes, longer than the silence after which an agent is dead, while agents of a fleet send heartbeats and others end. Heartbeats are
 * lost, passes fail or end early, and the self-check sees it or does not: no agent that lives is marked as dead.
 */
@Tag("exhaustive")
@Tag(Attack.TAG)
@Tag("SYS-02")
class ThrottledTablesTest {

    private static final String CONFIG =
            ",\"heartbeat_config\":{\"interval_seconds\":30,\"unhealthy_after_seconds\":90,\"dead_after_seconds\":180}";
    private static final int AGENTS = Attack.size(30, 500);
    private static final int DEAD = AGENTS / 4;
    private static final int SECONDS = 600;
    private static final int FOUND_WITHIN = 180 + 2 * SweepHarness.TICK;

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private int lost;
    private int failed;

    @ParameterizedTest(name = "{0} % of the requests")
    @CsvSource({"100", "90"})
    void no_agent_is_marked_as_dead_because_tables_are_throttled(int percent) {
        Attack attack = Attack.begin("throttled-tables-" + percent);
        harness.startAfresh();
        List<TestAgent> fleet = harness.fleet("a-", AGENTS, CONFIG);
        List<TestAgent> dead = fleet.subList(0, DEAD);
        List<TestAgent> alive = fleet.subList(DEAD, AGENTS);
        pass(90, alive);
        harness.system().troubles().start(attack.seed(), Map.of(Trouble.THROTTLING, percent / 100.0));
        pass(SECONDS, alive);
        harness.system().troubles().stop();
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, alive)).isZero();
        if (percent == 100) {
            assertThat(lost).isEqualTo(alive.size() * SECONDS / SweepHarness.TICK);
            assertThat(failed).isEqualTo(SECONDS / SweepHarness.TICK);
        } else {
            assertThat(lost + failed).isPositive();
        }
        pass(FOUND_WITHIN, alive);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, dead)).isEqualTo(DEAD);
        assertThat(SweepHarness.in(LifecycleStatus.ACTIVE, alive)).isEqualTo(alive.size());
        fleet.forEach(agent -> agent.assertHistoryIsWhole("throttled tables"));
        alive.forEach(agent -> assertThat(agent.changes()).noneMatch(change -> change.contains("dead")));
        attack.figure("agents", AGENTS)
                .figure("heartbeats lost", lost)
                .figure("passes failed", failed)
                .figure("false deaths", SweepHarness.in(LifecycleStatus.DEAD, alive))
                .end();
    }

    private void pass(int seconds, List<TestAgent> alive) {
        for (int passed = 0; passed < seconds; passed += SweepHarness.TICK) {
            harness.system().clock().advanceSeconds(SweepHarness.TICK);
            for (TestAgent agent : alive) {
                lost += agent.sendHeartbeat().status() == 200 ? 0 : 1;
            }
            try {
                harness.sweep();
            } catch (RuntimeException e) {
                failed++;
            }
        }
    }
}
