package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Heartbeats before, during and at the end of a drain (RFC-0016 §5.2, §5.3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-19")
class DrainingHeartbeatTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void a_heartbeat_with_draining_starts_the_drain_of_an_active_agent() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"current_load\":2");
        system.clock().advanceSeconds(5);
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":2"), "draining");
        Pulse pulse = agent.pulse();
        assertThat(pulse.status()).isEqualTo(LifecycleStatus.DRAINING);
        assertThat(pulse.heartbeatCount()).isEqualTo(2);
        assertThat(pulse.drain())
                .isEqualTo(new Drain(
                        system.clock().instant().plusSeconds(120),
                        Duration.ofSeconds(120),
                        Drain.ASKED_BY_AGENT,
                        "",
                        TestSystem.keyId(TestSystem.AGENT_KEY)));
        assertThat(agent.changes())
                .containsExactly("registering->active registered", "active->draining drain_initiated");
        agent.assertHistoryIsWhole("drain from active");
    }

    @Test
    void a_heartbeat_with_draining_starts_the_drain_of_an_unhealthy_agent_in_one_transition() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        system.meter().reset();
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":1"), "draining");
        assertThat(system.meter().operations()).containsExactly("UpdateItem", "GetItem", "TransactWriteItems");
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->unhealthy heartbeat_timeout",
                        "unhealthy->draining drain_initiated");
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(system.clock().instant());
        agent.assertHistoryIsWhole("drain from unhealthy");
    }

    @Test
    void a_heartbeat_with_active_never_ends_a_drain() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"current_load\":1");
        assertThat(agent.drain(system.api()).status()).isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            system.clock().advanceSeconds(30);
            assertStatus(agent.sendHeartbeat(), "draining");
        }
        assertThat(agent.events()).hasSize(2);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(4);
    }

    @Test
    void another_heartbeat_with_draining_keeps_the_deadline() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        Drain drain = agent.pulse().drain();
        system.clock().advanceSeconds(30);
        system.meter().reset();
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":1"), "draining");
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
        assertThat(agent.pulse().drain()).isEqualTo(drain);
        assertThat(agent.events()).hasSize(2);
    }

    @Test
    void a_silent_draining_agent_stays_draining() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        system.clock().advanceSeconds(110);
        assertThat(agent.sweep()).isFalse();
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":1"), "draining");
    }

    @Test
    void the_heartbeat_that_reports_no_load_completes_the_drain() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":2");
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":1"), "draining");
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":0,\"tasks_in_progress\":[]"), "deregistered");
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->draining drain_initiated",
                        "draining->deregistered drain_completed");
        assertThat(agent.pulse().drain()).isEqualTo(Drain.NONE);
        assertThat(agent.pulse().cleanUp().through()).isEqualTo(1);
        assertThat(agent.sendHeartbeat("draining", "").status()).isEqualTo(410);
        assertThat(agent.events()).hasSize(3);
        agent.assertHistoryIsWhole("drain completed");
    }

    @Test
    void an_agent_that_never_reported_a_load_completes_its_drain_with_its_next_heartbeat() {
        TestAgent agent = newAgent();
        assertStatus(agent.sendHeartbeat("draining", ""), "draining");
        assertStatus(agent.sendHeartbeat("active", ""), "deregistered");
        agent.assertHistoryIsWhole("nothing to do");
    }

    @Test
    void an_idle_agent_that_an_administrator_drains_learns_of_it_before_it_is_deregistered() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat();
        drainByAdministrator(agent);
        assertStatus(agent.sendHeartbeat(), "draining");
        assertStatus(agent.sendHeartbeat(), "deregistered");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        agent.assertHistoryIsWhole("drained by an administrator");
    }

    @Test
    void reported_tasks_keep_a_drain_going_until_an_empty_list() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"tasks_in_progress\":[\"a\",\"b\"]");
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":0"), "draining");
        assertStatus(agent.sendHeartbeat("draining", ",\"tasks_in_progress\":[\"b\"]"), "draining");
        assertStatus(agent.sendHeartbeat("draining", ",\"tasks_in_progress\":[]"), "deregistered");
    }

    @Test
    void a_heartbeat_with_new_tasks_is_work_at_once() {
        TestAgent agent = newAgent();
        drainByAdministrator(agent);
        assertStatus(agent.sendHeartbeat(), "draining");
        assertStatus(agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"a\"]"), "draining");
        assertThat(agent.stored().tasks()).containsExactly("a");
    }

    private void drainByAdministrator(TestAgent agent) {
        assertThat(system.api()
                        .patch("/api/v1/agents/" + agent.id() + "/status")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .header("if-match", "*")
                        .body("{\"status\":\"draining\"}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_load_that_is_not_repeated_stays_in_force() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"current_load\":1");
        assertStatus(agent.sendHeartbeat("draining", ""), "draining");
        assertStatus(agent.sendHeartbeat("draining", ""), "draining");
        assertThat(agent.pulse().workload().load()).isEqualTo(1);
    }

    @Test
    @Tag("R16-20")
    void a_heartbeat_with_load_after_the_deadline_leaves_the_decision_to_the_sweep() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":3");
        system.clock().advanceSeconds(120);
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":3"), "draining");
        system.clock().advance(Duration.ofMillis(1));
        // Only the sweep can detect a blackout of the registry in the meantime.
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":3"), "draining");
        assertThat(agent.events().stream().map(e -> e.get("type").textValue()))
                .containsExactly("agent.lifecycle", "agent.lifecycle");
        assertStatus(agent.sendHeartbeat("draining", ",\"current_load\":0"), "deregistered");
        assertThat(agent.changes()).last().isEqualTo("draining->deregistered drain_completed");
        agent.assertHistoryIsWhole("drain beyond its deadline");
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }

    private static void assertStatus(Response response, String status) {
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().get("agent_status").textValue()).isEqualTo(status);
    }
}
