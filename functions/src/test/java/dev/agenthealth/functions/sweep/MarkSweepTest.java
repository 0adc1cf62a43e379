package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.CrashingDynamoDb;
import dev.agenthealth.testkit.CrashingDynamoDb.Crash;
import dev.agenthealth.testkit.CrashingDynamoDb.Way;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whose lifecycle status changes has its health computed again, whoever changed it and whatever went wrong. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-18")
@Tag("SYS-02")
class MarkSweepTest {

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
    void whom_the_sweep_changes_it_marks() {
        TestAgent silent = harness.agent("silent");
        TestAgent beating = harness.agent("beating");
        settled(() -> List.of(silent, beating).forEach(TestAgent::beat));
        harness.passTime(120, beating::beat);
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.marked()).containsExactly("silent");
    }

    @Test
    void a_recovery_by_heartbeat_is_marked_by_the_next_pass() {
        TestAgent agent = harness.agent("agent");
        settled(agent::beat);
        harness.passTime(150);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        settled(() -> {});
        agent.beat();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(harness.marked()).isEmpty();
        harness.passTime(SweepHarness.TICK);
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void drains_deregistrations_and_returns_are_marked_by_the_next_pass() {
        TestAgent draining = harness.agent("draining");
        draining.beat("active", ",\"current_load\":1");
        TestAgent leaving = harness.agent("leaving");
        TestAgent returning = harness.agent("returning");
        returning.deregister();
        TestAgent staying = harness.agent("staying");
        settled(() -> List.of(draining, leaving, staying).forEach(TestAgent::beat));
        draining.drain(harness.system().api());
        leaving.deregister();
        returning.register("");
        harness.passTime(SweepHarness.TICK, staying::beat);
        assertThat(harness.marked()).containsExactlyInAnyOrder("draining", "leaving", "returning");
    }

    @Test
    void an_agent_is_marked_again_only_as_long_as_clocks_may_differ() {
        harness.agent("agent");
        for (int i = 0; i < 2; i++) {
            assertThat(harness.sweep()).containsEntry("marked", 1L);
            harness.system().clock().advanceSeconds(15);
        }
        assertThat(harness.sweep()).containsEntry("marked", 0L);
    }

    @Test
    void changes_during_a_long_pause_of_the_sweep_are_marked_afterwards() {
        TestAgent agent = harness.agent("agent");
        settled(agent::beat);
        agent.deregister();
        harness.system().clock().advanceSeconds(50 * 60);
        harness.sweep();
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void a_deaf_registry_marks_as_well() {
        TestAgent agent = harness.agent("agent");
        settled(agent::beat);
        harness.door().goDeaf();
        agent.deregister();
        harness.passTime(SweepHarness.TICK);
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void whoever_could_not_be_marked_is_marked_by_a_later_pass() {
        TestAgent agent = harness.agent("agent");
        settled(agent::beat);
        agent.deregister();
        for (int i = 0; i < 3; i++) {
            harness.system().clock().advanceSeconds(60);
            // The first write is the pass's start, the second the mark.
            Sweep failing =
                    harness.sweepThrough(new CrashingDynamoDb(harness.system().dynamoDb(), 2, Way.IS_REFUSED));
            assertThat(SweepHarness.run(failing)).containsEntry("unmarked", 1L).containsEntry("failed", 1L);
            assertThat(harness.marked()).isEmpty();
        }
        harness.system().clock().advanceSeconds(60);
        harness.sweep();
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void a_sweep_that_ends_between_a_change_and_its_mark_leaves_the_mark_to_the_next_one() {
        TestAgent agent = harness.agent("agent");
        settled(agent::beat);
        harness.passTime(90);
        harness.system().clock().advanceSeconds(1);
        // Pass's start, change of status, mark.
        CrashingDynamoDb crashing = new CrashingDynamoDb(harness.system().dynamoDb(), 3, Way.DIES_BEFORE);
        try {
            SweepHarness.run(harness.sweepThrough(crashing));
        } catch (RuntimeException | Crash e) {
            assertThat(crashing.hasGoneWrong()).isTrue();
        }
        crashing.settle();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(harness.marked()).isEmpty();
        harness.system().clock().advanceSeconds(60);
        harness.sweep();
        assertThat(harness.marked()).containsExactly("agent");
    }

    @Test
    void processes_that_live_for_one_pass_only_mark_nobody_over_and_over() {
        TestAgent agent = harness.agent("agent");
        harness.system().clock().advanceSeconds(30);
        assertThat(fresh().get("marked")).isEqualTo(1L);
        for (int i = 0; i < 3; i++) {
            harness.system().clock().advanceSeconds(30);
            agent.beat();
            assertThat(fresh().get("marked")).isEqualTo(0L);
        }
    }

    private Map<String, Object> fresh() {
        return SweepHarness.run(harness.sweepThrough(harness.system().dynamoDb()));
    }

    /** Lets time pass until nobody's change is new any more, and takes all marks away. */
    private void settled(Runnable atEachTick) {
        harness.passTime(60, atEachTick);
        harness.settleMarks();
    }
}
