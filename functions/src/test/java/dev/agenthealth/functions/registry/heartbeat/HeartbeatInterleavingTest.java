package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats with tasks or another time, concurrent with each other, sweeps and registrations. */
@Tag("R16-02")
@Tag("R16-03")
@Tag("R16-12")
class HeartbeatInterleavingTest extends HeartbeatInterleavings {

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
}
