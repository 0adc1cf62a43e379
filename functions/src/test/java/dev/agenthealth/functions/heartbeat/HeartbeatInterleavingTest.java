package dev.agenthealth.functions.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats concurrent with sweeps, deregistrations, registrations and each other. */
@Tag("R16-02")
@Tag("R16-03")
@Tag("R16-12")
class HeartbeatInterleavingTest extends HeartbeatInterleavings {

    @Test
    @Tag("exhaustive")
    void a_heartbeat_and_the_sweep_that_is_about_to_mark_the_agent_unhealthy() {
        int interleavingCount = explore(
                agent -> system.clock().advanceSeconds(91),
                race -> {
                    // Marked before its heartbeat or not at all, the agent is active after it.
                    assertThat(race.code(0)).as(race.about()).isEqualTo(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.ACTIVE);
                },
                heartbeat(this::sendHeartbeat),
                other(this::sweep));
        assertThat(interleavingCount).isGreaterThan(2);
    }

    @Test
    @Tag("exhaustive")
    void a_heartbeat_and_the_sweep_that_is_about_to_mark_the_agent_dead() {
        explore(
                agent -> {
                    agent.becomeUnhealthy();
                    system.clock().advanceSeconds(300);
                },
                race -> {
                    boolean dead = race.agent().pulse().status() == LifecycleStatus.DEAD;
                    assertThat(race.code(0)).as(race.about()).isEqualTo(dead ? 410 : 200);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(dead ? DONE : NOTHING_TO_DO);
                },
                heartbeat(this::sendHeartbeat),
                other(this::sweep));
    }

    @Test
    @Tag("exhaustive")
    void two_heartbeats_that_both_recover_the_agent() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(200);
                    assertThat(race.agent().changes())
                            .as(race.about())
                            .containsExactly(
                                    "registering->active registered",
                                    "active->unhealthy heartbeat_timeout",
                                    "unhealthy->active heartbeat_resumed");
                },
                heartbeat(this::sendHeartbeat),
                heartbeat(this::sendHeartbeat));
    }

    @Test
    @Tag("R16-30")
    void a_heartbeat_and_a_deregistration() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(204);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DEREGISTERED);
                },
                heartbeat(this::sendHeartbeat),
                other(this::deregister));
    }

    @Test
    @Tag("R16-06")
    @Tag("exhaustive")
    void a_late_heartbeat_and_a_registration_after_death() {
        explore(
                TestAgent::becomeDead,
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(201);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.ACTIVE);
                },
                heartbeat(this::sendWithTasks),
                other(this::register));
    }

    @Test
    @Tag("R16-13")
    @Tag("exhaustive")
    void a_late_heartbeat_archiving_and_a_registration() {
        int interleavingCount = explore(
                agent -> {
                    agent.deregister();
                    agent.finishCleanUp();
                },
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(2)).as(race.about()).isEqualTo(201);
                    assertThat(race.agent().stored().archived())
                            .as(race.about())
                            .isFalse();
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.ACTIVE);
                },
                heartbeat(this::sendHeartbeat),
                other(this::archive),
                other(this::register));
        assertThat(interleavingCount).isGreaterThan(20);
    }

    @Test
    @Tag("R16-06")
    @Tag("exhaustive")
    void a_late_heartbeat_and_a_registration_of_an_archived_agent() {
        explore(
                agent -> {
                    agent.deregister();
                    agent.finishCleanUp();
                    assertThat(agent.archive()).isTrue();
                },
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(201);
                },
                heartbeat(this::sendHeartbeat),
                other(this::register));
    }

    @Test
    @Tag("exhaustive")
    void two_sweeps_and_a_heartbeat() {
        explore(
                agent -> system.clock().advanceSeconds(301),
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.agent().changes()).as(race.about()).doesNotHaveDuplicates();
                },
                heartbeat(this::sendHeartbeat),
                other(this::sweep),
                other(this::sweep));
    }

    @Test
    @Tag("R16-16")
    @Tag("exhaustive")
    void drifting_heartbeats_and_a_sweep() {
        explore(
                agent -> system.clock().advanceSeconds(91),
                race -> {
                    assertThat(race.code(0)).as(race.about()).isEqualTo(200);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(200);
                    assertThat(race.agent().events().stream()
                                    .filter(e -> e.get("type").textValue().equals("agent.clock_drift")))
                            .as(race.about())
                            .hasSize(1);
                },
                heartbeat(this::sendDrifting),
                heartbeat(this::sendDrifting),
                other(this::sweep));
    }

    @Test
    @Tag("R16-10")
    @Tag("exhaustive")
    void two_heartbeats_with_different_tasks() {
        explore(
                agent -> {},
                race -> {
                    List<String> stored = race.agent().stored().tasks();
                    assertThat(stored).as(race.about()).isIn(List.of("a"), List.of("b"));
                    assertThat(race.agent().pulse().workload().taskListHash())
                            .as("the digest is that of the list, %s", race.about())
                            .isEqualTo(TaskListHash.of(stored));
                },
                heartbeat(agent -> agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"a\"]")
                        .status()),
                heartbeat(agent -> agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"b\"]")
                        .status()));
    }

    private int sendWithTasks(TestAgent agent) {
        return agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"t\"]")
                .status();
    }

    private int sendDrifting(TestAgent agent) {
        return agent.send(api, TestAgent.HEARTBEAT_BODY.formatted("2001-01-01T00:00:00Z"))
                .status();
    }

    private int register(TestAgent agent) {
        return agent.register(api, "").status();
    }

    private int archive(TestAgent agent) {
        return agent.archive(new AgentStore(database)) ? DONE : NOTHING_TO_DO;
    }
}
