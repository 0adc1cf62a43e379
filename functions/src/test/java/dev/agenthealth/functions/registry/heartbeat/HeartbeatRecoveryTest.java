package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Silence and the recovery by a heartbeat (RFC-0016 §4.4, §4.5). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HeartbeatRecoveryTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    @Tag("R16-11")
    void a_heartbeat_resets_the_silence_timer() {
        TestAgent agent = newAgent();
        for (int i = 1; i <= 5; i++) {
            system.clock().advanceSeconds(90);
            assertThat(agent.sweep()).as("90 s are not more than 90 s").isFalse();
            assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
            Pulse pulse = agent.pulse();
            assertThat(pulse.lastHeartbeatAt()).isEqualTo(system.clock().instant());
            assertThat(pulse.heartbeatCount()).isEqualTo(i);
        }
        assertThat(agent.pulse().version())
                .as("no heartbeat changes the version")
                .isEqualTo(1);
        assertThat(agent.events()).hasSize(1);
    }

    @Test
    @Tag("R16-15")
    void silence_is_measured_from_the_last_heartbeat_with_strict_thresholds() {
        TestAgent agent = newAgent();
        system.clock().advanceSeconds(60);
        agent.sendHeartbeat();
        Instant lastHeartbeat = system.clock().instant();
        system.clock().advanceSeconds(90);
        assertThat(agent.sweep()).isFalse();
        system.clock().advance(Duration.ofMillis(1));
        assertThat(agent.sweep()).isTrue();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(lastHeartbeat);
        system.clock().advance(Duration.ofMillis(209_999));
        assertThat(agent.sweep()).isFalse();
        system.clock().advance(Duration.ofMillis(1));
        assertThat(agent.sweep()).isTrue();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        agent.assertHistoryIsWhole("death by silence");
    }

    @Test
    @Tag("R16-15")
    @Tag("R16-16")
    void the_client_s_clock_does_not_delay_marking_as_dead() {
        TestAgent agent = newAgent();
        agent.send(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant().plusSeconds(59)));
        system.clock().advanceSeconds(91);
        assertThat(agent.sweep()).isTrue();
    }

    @Test
    @Tag("R16-12")
    void a_heartbeat_makes_an_unhealthy_agent_active_with_one_event() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        system.clock().advanceSeconds(10);
        Response response = agent.sendHeartbeat("active", ",\"current_load\":2,\"tasks_in_progress\":[\"t1\",\"t2\"]");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().get("agent_status").textValue()).isEqualTo("active");
        Pulse pulse = agent.pulse();
        assertThat(pulse.status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(pulse.statusSince()).isEqualTo(system.clock().instant());
        assertThat(pulse.lastHeartbeatAt()).isEqualTo(system.clock().instant());
        assertThat(pulse.heartbeatCount()).isEqualTo(1);
        assertThat(pulse.workload().load()).isEqualTo(2);
        assertThat(pulse.version()).isEqualTo(3);
        assertThat(agent.stored().tasks()).containsExactly("t1", "t2");
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->unhealthy heartbeat_timeout",
                        "unhealthy->active heartbeat_resumed");
        JsonNode event = agent.events().get(2);
        assertThat(event.get("type").textValue()).isEqualTo("agent.lifecycle");
        assertThat(event.get("agent_id").textValue()).isEqualTo(agent.id());
        assertThat(event.get("timestamp").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant()));
        assertThat(event.get("role_id").textValue()).isEqualTo("worker");
        assertThat(event.get("capabilities").toString()).isEqualTo("[\"test\"]");
        agent.sendHeartbeat();
        agent.sendHeartbeat();
        assertThat(agent.events()).as("further heartbeats publish no event").hasSize(3);
        agent.assertHistoryIsWhole("recovery");
    }

    @Test
    @Tag("R16-12")
    void an_agent_recovers_any_number_of_times() {
        TestAgent agent = newAgent();
        for (int i = 0; i < 4; i++) {
            agent.becomeUnhealthy();
            assertThat(agent.sendHeartbeat().json().get("agent_status").textValue())
                    .isEqualTo("active");
        }
        assertThat(agent.events()).hasSize(9);
        agent.assertHistoryIsWhole("four recoveries");
    }

    @Test
    @Tag("R16-15")
    void a_heartbeat_after_the_dead_threshold_counts_until_a_sweep_marks_the_agent_as_dead() {
        TestAgent agent = newAgent();
        system.clock().advanceSeconds(10_000);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.sweep()).isFalse();
        agent.becomeUnhealthy();
        system.clock().advanceSeconds(10_000);
        assertThat(agent.sendHeartbeat().json().get("agent_status").textValue()).isEqualTo("active");
        agent.assertHistoryIsWhole("late, but in time");
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
