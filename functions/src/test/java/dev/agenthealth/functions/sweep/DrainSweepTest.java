package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sweep ends drains (RFC-0016 §5.2). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DrainSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    @Tag("R16-19")
    void a_drain_without_work_is_completed_by_the_next_pass() {
        TestAgent agent = harness.agent("idle");
        drain(agent);
        harness.passTime(5);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->draining drain_initiated",
                        "draining->deregistered drain_completed");
        agent.assertHistoryIsWhole("drain without work");
    }

    @Test
    @Tag("R16-20")
    void an_agent_with_tasks_and_without_heartbeats_is_dead_after_its_deadline_with_a_warning() {
        TestAgent agent = harness.agent("busy");
        agent.sendHeartbeat("active", ",\"current_load\":2");
        drain(agent, 120);
        Instant deadline = harness.now().plusSeconds(120);
        harness.passTime(120);
        assertThat(agent.pulse().status()).as("at the deadline").isEqualTo(LifecycleStatus.DRAINING);
        harness.system().clock().advance(Duration.ofMillis(1));
        harness.sweep();
        assertThat(agent.pulse().status()).as("beyond it").isEqualTo(LifecycleStatus.DEAD);
        List<JsonNode> events = agent.events();
        assertThat(events).hasSize(4);
        JsonNode warning = events.get(2);
        assertThat(warning.get("type").textValue()).isEqualTo("agent.drain_timeout");
        assertThat(warning.get("severity").textValue()).isEqualTo("warning");
        assertThat(warning.get("current_load").intValue()).isEqualTo(2);
        assertThat(warning.get("drain_timeout_seconds").intValue()).isEqualTo(120);
        JsonNode death = events.get(3);
        assertThat(death.get("reason").textValue()).isEqualTo("drain_timeout");
        for (JsonNode event : List.of(warning, death)) {
            assertThat(Instant.parse(event.get("deadline_at").textValue())).isEqualTo(deadline);
            assertThat(Instant.parse(event.get("timestamp").textValue())).isEqualTo(harness.now());
        }
        agent.assertHistoryIsWhole("drain timeout");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
    }

    @Test
    @Tag("R16-20")
    void an_agent_with_tasks_that_sends_heartbeats_is_deregistered_after_its_deadline() {
        TestAgent agent = harness.agent("busy");
        agent.sendHeartbeat("active", ",\"current_load\":2");
        drain(agent);
        Instant deadline = harness.now().plusSeconds(60);
        harness.passTime(60, () -> agent.sendHeartbeat("draining", ",\"current_load\":2"));
        assertThat(agent.pulse().status()).as("at the deadline").isEqualTo(LifecycleStatus.DRAINING);
        harness.system().clock().advance(Duration.ofMillis(1));
        harness.sweep();
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->draining drain_initiated",
                        "draining->deregistered drain_timeout");
        assertThat(Instant.parse(agent.events().get(2).get("deadline_at").textValue()))
                .isEqualTo(deadline);
        agent.assertHistoryIsWhole("drain timeout of an agent that sends heartbeats");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
    }

    @Test
    @Tag("R16-19")
    void a_silent_draining_agent_stays_draining_until_its_deadline() {
        TestAgent agent = harness.agent("silent");
        agent.sendHeartbeat("active", ",\"current_load\":1");
        harness.system()
                .api()
                .patch("/api/v1/agents/silent/status")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"status\":\"draining\",\"drain_timeout_seconds\":900}")
                .send();
        harness.passTime(900);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        harness.passTime(1);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    @Tag("R16-19")
    void an_idle_agent_that_another_drains_is_deregistered_after_a_heartbeat_or_at_its_deadline() {
        harness.system().clock().advance(Duration.ofMillis(1));
        TestAgent heard = harness.agent("heard");
        TestAgent silent = harness.agent("silent");
        drain(TestSystem.ADMINISTRATOR_KEY, heard);
        drain(TestSystem.COORDINATOR_KEY, silent);
        harness.passTime(30);
        assertThat(heard.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        assertThat(heard.sendHeartbeat().json().get("agent_status").textValue()).isEqualTo("draining");
        harness.sweep();
        assertThat(heard.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        harness.passTime(31);
        assertThat(silent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(silent.changes()).last().isEqualTo("draining->deregistered drain_completed");
    }

    @Test
    @Tag("R16-20")
    @Tag("R16-40")
    void a_drain_that_begins_before_the_first_sweep_ever_ends_at_its_deadline() {
        try (SweepHarness fresh = new SweepHarness()) {
            TestAgent busy = fresh.agent("busy");
            busy.sendHeartbeat("active", ",\"current_load\":1");
            assertThat(fresh.state()).isEmpty();
            drain(fresh, TestSystem.AGENT_KEY, busy, 60);
            fresh.system().clock().advanceSeconds(5);
            fresh.sweep();
            fresh.passTime(55, () -> busy.sendHeartbeat("draining", ",\"current_load\":1"));
            assertThat(busy.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
            fresh.passTime(1);
            assertThat(busy.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        }
    }

    @Test
    @Tag("R16-20")
    void no_drain_ends_during_a_blackout() {
        TestAgent busy = harness.agent("busy");
        busy.sendHeartbeat("active", ",\"current_load\":1");
        drain(busy);
        harness.publicApi().dropHeartbeats();
        harness.passTime(120);
        TestAgent idle = harness.agent("idle");
        drain(idle);
        harness.passTime(30);
        assertThat(busy.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        assertThat(idle.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        harness.publicApi().acceptHeartbeats();
        harness.passTime(120);
        assertThat(busy.pulse().status())
                .as("its grace period lasts for its unhealthy threshold")
                .isEqualTo(LifecycleStatus.DRAINING);
        assertThat(idle.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        harness.passTime(30);
        assertThat(busy.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    private void drain(TestAgent agent) {
        drain(agent, 60);
    }

    private void drain(TestAgent agent, int seconds) {
        drain(harness, TestSystem.AGENT_KEY, agent, seconds);
    }

    private void drain(String key, TestAgent agent) {
        drain(harness, key, agent, 60);
    }

    private static void drain(SweepHarness harness, String key, TestAgent agent, int seconds) {
        assertThat(harness.system()
                        .api()
                        .patch("/api/v1/agents/" + agent.id() + "/status")
                        .key(key)
                        .header("if-match", "*")
                        .body("{\"status\":\"draining\",\"drain_timeout_seconds\":" + seconds + "}")
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
