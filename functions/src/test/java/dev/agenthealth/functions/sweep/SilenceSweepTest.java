package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sweep detects silent agents (RFC-0016 §2.3, §4.5, §4.6). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SilenceSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-15")
    @Tag("SYS-02")
    void silence_makes_an_agent_unhealthy_and_then_dead_at_strict_thresholds() {
        TestAgent agent = harness.agent("silent");
        Instant lastHeartbeat = harness.now();
        harness.passTime(90);
        assertThat(agent.pulse().status()).as("after 90 s").isEqualTo(LifecycleStatus.ACTIVE);
        harness.system().clock().advance(Duration.ofMillis(1));
        harness.sweep();
        assertThat(agent.pulse().status()).as("after 90.001 s").isEqualTo(LifecycleStatus.UNHEALTHY);
        JsonNode unhealthy = agent.events().get(1);
        assertEvent(unhealthy, "active", "unhealthy", lastHeartbeat.plusSeconds(90), harness.now());
        assertThat(unhealthy.get("severity").textValue()).isEqualTo("warning");
        harness.system().clock().advance(Duration.ofMillis(9_999));
        harness.sweep();
        harness.passTime(200);
        assertThat(agent.pulse().status()).as("after 300 s").isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.system().clock().advance(Duration.ofMillis(1));
        harness.sweep();
        assertThat(agent.pulse().status()).as("after 300.001 s").isEqualTo(LifecycleStatus.DEAD);
        assertEvent(agent.events().get(2), "unhealthy", "dead", lastHeartbeat.plusSeconds(300), harness.now());
        harness.passTime(60);
        assertThat(agent.events()).as("one event per transition").hasSize(3);
        agent.assertHistoryIsWhole("silence");
    }

    @Test
    @Tag("R16-11")
    @Tag("R16-15")
    void an_agent_that_sends_heartbeats_is_not_changed() {
        TestAgent agent = harness.agent("active-agent");
        harness.passTime(600, agent::sendHeartbeat);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(agent.events()).hasSize(1);
    }

    @Test
    @Tag("R16-15")
    void every_agent_has_its_own_thresholds() {
        TestAgent quick = new TestAgent(harness.system(), "quick");
        quick.register(",\"heartbeat_config\":{\"interval_seconds\":5,\"unhealthy_after_seconds\":15,"
                + "\"dead_after_seconds\":35}");
        TestAgent usual = harness.agent("usual");
        harness.passTime(20);
        assertThat(quick.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.passTime(20);
        assertThat(quick.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(usual.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-15")
    void an_active_agent_beyond_both_thresholds_makes_both_transitions_with_two_events() {
        TestAgent agent = new TestAgent(harness.system(), "hasty");
        agent.register(",\"heartbeat_config\":{\"interval_seconds\":1,\"unhealthy_after_seconds\":2,"
                + "\"dead_after_seconds\":4}");
        Instant lastHeartbeat = harness.now();
        harness.passTime(SweepHarness.TICK);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(agent.events()).hasSize(3);
        assertEvent(agent.events().get(1), "active", "unhealthy", lastHeartbeat.plusSeconds(2), harness.now());
        assertEvent(agent.events().get(2), "unhealthy", "dead", lastHeartbeat.plusSeconds(4), harness.now());
        agent.assertHistoryIsWhole("both steps in one pass");
    }

    @Test
    @Tag("R16-12")
    @Tag("R16-17")
    void a_heartbeat_of_a_dead_agent_gets_410_until_it_registers_again() {
        TestAgent agent = harness.agent("partitioned");
        agent.sendHeartbeat(
                "active", """
                ,"current_load":3,"tasks_in_progress":["a","b","c"]\
                """);
        harness.passTime(100);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        harness.passTime(310);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->unhealthy heartbeat_timeout",
                        "unhealthy->active heartbeat_resumed",
                        "active->unhealthy heartbeat_timeout",
                        "unhealthy->dead heartbeat_timeout",
                        "dead->active re_registered");
        agent.assertHistoryIsWhole("partition");
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-37")
    void the_event_of_a_dead_coordinator_contains_its_role_and_capabilities() {
        TestAgent agent = new TestAgent(harness.system(), "boss");
        harness.system()
                .api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body(
                        """
                        {"agent_id":"boss","role_id":"lead","capabilities":["coordinator"]}\
                        """)
                .send();
        harness.passTime(310);
        JsonNode death = agent.events().get(2);
        assertThat(death.get("new_status").textValue()).isEqualTo("dead");
        assertThat(death.get("role_id").textValue()).isEqualTo("lead");
        assertThat(death.get("capabilities").toString()).isEqualTo("[\"coordinator\"]");
    }

    @Test
    @Tag("SYS-02")
    void a_pass_reports_what_it_found_and_did() {
        harness.agents("agent-", 3);
        assertThat(harness.sweep())
                .containsEntry("monitored", 3L)
                .containsEntry("active", 3L)
                .containsEntry("silent", 0L)
                .containsEntry("unhealthy", 0L);
        harness.system().clock().advance(Duration.ofMillis(500));
        harness.passTime(80);
        assertThat(harness.sweep()).containsEntry("unhealthy", 0L);
        harness.system().clock().advanceSeconds(10);
        assertThat(harness.sweep())
                .containsEntry("monitored", 3L)
                .containsEntry("silent", 3L)
                .containsEntry("unhealthy", 3L)
                .containsEntry("longest_lag_ms", 500L)
                .containsEntry("failed", 0L);
        assertThat(harness.sweep()).containsEntry("unhealthy_now", 3L).containsEntry("unhealthy", 0L);
    }

    private static void assertEvent(JsonNode event, String previous, String next, Instant deadline, Instant detected) {
        assertThat(event.get("type").textValue()).isEqualTo("agent.lifecycle");
        assertThat(event.get("previous_status").textValue()).isEqualTo(previous);
        assertThat(event.get("new_status").textValue()).isEqualTo(next);
        assertThat(event.get("reason").textValue()).isEqualTo("heartbeat_timeout");
        assertThat(event.get("deadline_at").textValue()).isEqualTo(deadline.toString());
        assertThat(event.get("detected_at").textValue()).isEqualTo(detected.toString());
        assertThat(event.get("timestamp").textValue()).isEqualTo(detected.toString());
    }
}
