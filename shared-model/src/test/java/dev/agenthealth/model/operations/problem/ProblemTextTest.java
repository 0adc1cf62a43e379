package dev.agenthealth.model.operations.problem;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.ReportedActivity;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProblemTextTest {

    @Test
    void a_wait_names_its_beginning() {
        Pulse waits = Pulses.active()
                .withHeartbeat(
                        Heartbeat.BARE.with(new ReportedActivity(Phase.HUMAN, Duration.ofSeconds(60), "approval")), T0);
        Pulse published =
                WaitingRule.due(waits, Duration.ofSeconds(60), T0).orElseThrow().after();
        assertThat(reason("agent.waiting none>warning", published))
                .isEqualTo("Has been waiting for a person since 2026-02-08T09:59:00.000Z.");
        assertThat(reason("agent.waiting none>warning", waits))
                .as("the wait is not the published wait")
                .isEqualTo("Has been waiting for a person.");
    }

    @Test
    void a_loop_has_the_numbers_of_now() {
        HeartbeatConfig config = new HeartbeatConfig(
                30, 90, 300, StallConfig.NONE, LifeSigns.HEARTBEATS, new LoopConfig(10, false, false));
        Pulse published = LoopRule.due(loop(Pulses.active(config), 12, "b", T0), false, T0)
                .orElseThrow()
                .after();
        assertThat(reason("agent.looping none>warning", loop(published, 14, "c", T0.plusSeconds(30))))
                .isEqualTo("Repeats the same calls of tool c since 2026-02-08T09:59:00.000Z: 14 repetitions so far,"
                        + " declared 10.");
    }

    @Test
    void an_agent_that_never_sent_a_heartbeat_has_no_last_heartbeat() {
        SubjectProblem death = ProblemEvents.after("agent.lifecycle active>dead heartbeat_timeout")
                .get(SubjectProblem.ofLifecycle("a"));
        ProblemText.Now now =
                new ProblemText.Now(Optional.of(Pulses.in(LifecycleStatus.DEAD)), HealthSummary.NONE, Optional.empty());
        assertThat(ProblemText.of(death, now).reason())
                .isEqualTo("No heartbeat since the registration at 2026-02-08T10:00:00.000Z.");
    }

    private static Pulse loop(Pulse pulse, int repeats, String tool, Instant at) {
        Duration age = Duration.between(T0.minusSeconds(60), at);
        return pulse.withHeartbeat(Heartbeat.BARE.with(new ReportedActivity(Phase.TOOL, age, "", repeats, tool)), at);
    }

    private static String reason(String event, Pulse pulse) {
        SubjectProblem problem = ProblemEvents.after(event).values().stream()
                .filter(one -> !one.subject().equals(SubjectProblem.ofLifecycle("a")))
                .findFirst()
                .orElseThrow();
        return ProblemText.of(problem, new ProblemText.Now(Optional.of(pulse), HealthSummary.NONE, Optional.empty()))
                .reason();
    }
}
