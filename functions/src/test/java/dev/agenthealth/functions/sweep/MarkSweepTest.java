package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Every change of lifecycle status marks the agent for a new health computation, also after failures. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-18")
@Tag("SYS-02")
class MarkSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void an_agent_changed_by_the_sweep_is_marked() {
        TestAgent silent = harness.agent("silent");
        TestAgent active = harness.agent("active");
        settled(() -> List.of(silent, active).forEach(TestAgent::sendHeartbeat));
        harness.passTime(120, active::sendHeartbeat);
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.marked()).containsExactly("silent");
    }

    @Test
    void a_recovery_by_heartbeat_is_marked_by_the_next_pass() {
        TestAgent agent = harness.agent("agent");
        settled(agent::sendHeartbeat);
        harness.passTime(150);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        settled(() -> {});
        agent.sendHeartbeat();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(harness.marked()).isEmpty();
        harness.passTime(SweepHarness.TICK);
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void drains_deregistrations_and_returns_are_marked_by_the_next_pass() {
        TestAgent draining = harness.agent("draining");
        draining.sendHeartbeat("active", ",\"current_load\":1");
        TestAgent leaving = harness.agent("leaving");
        TestAgent returning = harness.agent("returning");
        returning.deregister();
        TestAgent staying = harness.agent("staying");
        settled(() -> List.of(draining, leaving, staying).forEach(TestAgent::sendHeartbeat));
        draining.drain(harness.system().api());
        leaving.deregister();
        returning.register("");
        harness.passTime(SweepHarness.TICK, staying::sendHeartbeat);
        assertThat(harness.marked()).containsExactlyInAnyOrder("draining", "leaving", "returning");
    }

    @Test
    void a_first_registration_is_not_marked() {
        harness.agent("agent");
        assertThat(harness.sweep()).containsEntry("marked", 0L);
        assertThat(harness.marked()).isEmpty();
    }

    @Test
    void an_agent_is_marked_again_only_within_the_clock_tolerance() {
        harness.agent("agent").deregister();
        for (int i = 0; i < 2; i++) {
            assertThat(harness.sweep()).containsEntry("marked", 1L);
            harness.system().clock().advanceSeconds(15);
        }
        assertThat(harness.sweep()).containsEntry("marked", 0L);
    }

    @Test
    void changes_during_a_long_pause_of_the_sweep_are_marked_afterwards() {
        TestAgent agent = harness.agent("agent");
        settled(agent::sendHeartbeat);
        agent.deregister();
        harness.system().clock().advanceSeconds(50 * 60);
        harness.sweep();
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void agents_are_marked_during_a_blackout() {
        TestAgent agent = harness.agent("agent");
        settled(agent::sendHeartbeat);
        harness.publicApi().dropHeartbeats();
        agent.deregister();
        harness.passTime(SweepHarness.TICK);
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void an_agent_that_could_not_be_marked_is_marked_by_a_later_pass() {
        TestAgent agent = harness.agent("agent");
        settled(agent::sendHeartbeat);
        agent.deregister();
        for (int i = 0; i < 3; i++) {
            harness.system().clock().advanceSeconds(60);
            // The first write is the pass's start, the second is the mark.
            Sweep failing = harness.sweepThrough(
                    new TestDynamoDb(harness.system().dynamoDb()).failAt(2, WriteFailure.IS_REJECTED));
            assertThat(SweepHarness.run(failing)).containsEntry("unmarked", 1L).containsEntry("failed", 1L);
            assertThat(harness.marked()).isEmpty();
        }
        harness.system().clock().advanceSeconds(60);
        harness.sweep();
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void a_sweep_that_crashes_between_a_change_and_its_mark_leaves_the_mark_to_the_next_sweep() {
        TestAgent agent = harness.agent("agent");
        settled(agent::sendHeartbeat);
        harness.passTime(90);
        harness.system().clock().advanceSeconds(1);
        // Pass's start, change of status, mark.
        TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(3, WriteFailure.CRASHES_BEFORE);
        try {
            SweepHarness.run(harness.sweepThrough(crashing));
        } catch (RuntimeException | Crash e) {
            assertThat(crashing.hasFailed()).isTrue();
        }
        crashing.settle();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.marked()).isEmpty();
        harness.system().clock().advanceSeconds(60);
        harness.sweep();
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void processes_of_a_single_pass_do_not_mark_agents_repeatedly() {
        TestAgent agent = harness.agent("agent");
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        harness.system().clock().advanceSeconds(30);
        assertThat(fresh().get("marked")).isEqualTo(1L);
        for (int i = 0; i < 3; i++) {
            harness.system().clock().advanceSeconds(30);
            agent.sendHeartbeat();
            assertThat(fresh().get("marked")).isEqualTo(0L);
        }
    }

    private Map<String, Object> fresh() {
        return SweepHarness.run(harness.sweepThrough(harness.system().dynamoDb()));
    }

    /** Advances the clock until no change is recent, and removes all marks. */
    private void settled(Runnable atEachTick) {
        harness.passTime(60, atEachTick);
        harness.settleMarks();
    }
}
