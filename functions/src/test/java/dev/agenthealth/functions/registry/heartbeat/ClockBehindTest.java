package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats that reach an instance whose clock is an hour behind that of the others. */
@Tag("R16-15")
class ClockBehindTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void a_heartbeat_that_a_clock_behind_receives_sets_the_last_one_not_back() {
        TestAgent agent = TestAgent.registered(system, "agent");
        system.clock().advanceSeconds(60);
        agent.sendHeartbeat();
        Instant last = agent.pulse().lastHeartbeatAt();
        behind(agent);
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(last);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        assertThat(agent.sweep()).as("a change of status is due").isFalse();
    }

    @Test
    void an_agent_whose_heartbeats_all_reach_a_clock_behind_becomes_active_again_and_never_dies() {
        TestAgent agent = TestAgent.registered(system, "agent");
        for (int minute = 0; minute < 30; minute++) {
            system.clock().advanceSeconds(60);
            agent.sweep();
            behind(agent);
            assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        }
        assertThat(agent.changes()).doesNotContain("unhealthy->dead heartbeat_timeout");
    }

    private void behind(TestAgent agent) {
        system.clock().advanceSeconds(-3_600);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        system.clock().advanceSeconds(3_600);
    }
}
