package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.declaration.DeclaredParts;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.ReportedActivity;
import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.CertificateWarning;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.profile.ResponseTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the events of an agent say, beside what every event says. */
class AgentEventsTest {

    private static final Instant T0 = Pulses.T0;
    private static final Instant LATE = T0.plusSeconds(100);

    private static Map<String, Object> detail(Transition transition, ProbeState probes) {
        List<Event> events = AgentEvents.of(transition, "billing", List.of("c"), probes);
        assertThat(events).hasSize(1);
        assertThat(events.get(0).agentId()).isEqualTo("agent_billing_01");
        assertThat(events.get(0).sequence()).isEqualTo(transition.after().sequence());
        return events.get(0).detail();
    }

    private static Transition silence(Pulse pulse) {
        return HeartbeatTimeoutRule.due(pulse, Pulses.NO_GRACE, LATE).orElseThrow();
    }

    private static ProbeState failing() {
        return new ProbeState(
                new ProbeState.Last("HTTP 500", LATE, "", 5),
                new ProbeState.Series(T0, T0),
                ProbeState.Certificate.NONE,
                ProbeState.Card.NONE,
                ResponseTimes.NONE);
    }

    @Test
    void a_silence_says_since_when_and_what_probes_found() {
        Map<String, Object> heard = detail(silence(Pulses.afterHeartbeat(Pulses.active(), T0)), failing());
        assertThat(heard)
                .containsEntry("previous_status", "active")
                .containsEntry("new_status", "unhealthy")
                .containsEntry("last_heartbeat_at", "2026-02-08T10:00:00.000Z")
                .containsEntry("deadline_at", "2026-02-08T10:01:30.000Z")
                .containsEntry("probe_failure", "HTTP 500")
                .containsEntry("probe_failing_since", "2026-02-08T10:00:00.000Z")
                .doesNotContainKeys("expected_at", "replaced");
        assertThat(detail(silence(Pulses.active()), ProbeState.NONE))
                .doesNotContainKeys("last_heartbeat_at", "probe_failure", "probe_failing_since");
    }

    @Test
    void another_change_says_neither() {
        Pulse pulse = Pulses.afterHeartbeat(Pulses.active(), T0);
        Pulse left = RegistrationRule.replaced(pulse, LATE);
        Map<String, Object> replaced =
                detail(Transition.now(pulse, left, LifecycleReason.DEREGISTERED, LATE), failing());
        assertThat(replaced)
                .containsEntry("replaced", true)
                .containsEntry("detected_at", "2026-02-08T10:01:40.000Z")
                .doesNotContainKeys("last_heartbeat_at", "deadline_at", "probe_failure");
        Event registered = AgentEvents.registered(
                Transition.now(Pulses.in(LifecycleStatus.DEREGISTERED), pulse, LifecycleReason.REGISTERED, T0),
                "billing",
                List.of());
        assertThat(registered.detail())
                .containsEntry("previous_status", "registering")
                .containsEntry("new_status", "active");
    }

    @Test
    void what_happens_to_an_agent_that_is_counted_has_its_number() {
        Pulse counted = Pulses.active().withDismissal();
        Event dismissed = AgentEvents.dismissed(counted, "billing", "key_1", "", LATE);
        assertThat(dismissed.sequence()).isEqualTo(counted.sequence());
        assertThat(dismissed.detail())
                .containsEntry("dismissed_by", "key_1")
                .containsEntry("dead_since", "2026-02-08T10:00:00.000Z")
                .doesNotContainKey("note");
        Event failed = AgentEvents.run(counted, "", RunResult.FAILED, "3", LATE);
        assertThat(failed.type()).isEqualTo(EventType.AGENT_RUN_FAILED);
        assertThat(failed.detail()).containsEntry("exit_code", "3").doesNotContainKey("role_id");
        for (RunResult good : List.of(RunResult.SUCCEEDED, RunResult.ADDRESS_REVOKED)) {
            assertThat(AgentEvents.run(counted, "", good, "", LATE).type()).isEqualTo(EventType.AGENT_RUN_RECOVERED);
        }
    }

    @Test
    void a_drift_is_cut_to_what_a_number_holds() {
        Pulse pulse = Pulses.active(HeartbeatConfig.DEFAULT);
        for (Map.Entry<Duration, Long> drift : Map.of(
                        Duration.ofMillis(7),
                        7L,
                        Duration.ofMillis(-7),
                        -7L,
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Long.MAX_VALUE,
                        Duration.ofSeconds(-Long.MAX_VALUE),
                        Long.MIN_VALUE)
                .entrySet()) {
            assertThat(AgentEvents.clockDrift(pulse, drift.getKey(), LATE).detail())
                    .containsEntry("drift_ms", drift.getValue());
        }
    }

    @Test
    void only_a_run_that_failed_is_a_failure() {
        assertThat(RunResult.FAILED.isFailure()).isTrue();
        assertThat(RunResult.SUCCEEDED.isFailure()).isFalse();
        assertThat(RunResult.ADDRESS_REVOKED.isFailure()).isFalse();
    }

    @Test
    void a_certificate_says_when_it_ends_and_how_soon() {
        Instant end = LATE.plus(Duration.ofDays(6));
        ProbeState seen = new ProbeState(
                new ProbeState.Last("", LATE, "", 5),
                new ProbeState.Series(T0, Instant.EPOCH),
                new ProbeState.Certificate(end, new CertificateWarning(end, 7)),
                ProbeState.Card.NONE,
                ResponseTimes.NONE);
        Pulse counted = Pulses.active().withDismissal();
        Event event = AgentEvents.certificateExpiring(counted, "billing", seen);
        assertThat(event.sequence()).isEqualTo(counted.sequence());
        assertThat(event.at()).isEqualTo(LATE);
        assertThat(event.detail())
                .containsEntry("certificate_ends_at", "2026-02-14T10:01:40.000Z")
                .containsEntry("days_before_end", 7L)
                .containsEntry("severity", "warning");
    }

    @Test
    void a_declaration_says_what_changed_and_of_what() {
        DeclaredParts accepted = DeclaredParts.of(Map.of("tool:a", List.of("1")));
        DeclaredParts present = DeclaredParts.of(Map.of("tool:b", List.of("1")));
        DeclarationState before = new DeclarationState(DeclarationKind.TOOLS, accepted, accepted, T0, 1);
        DeclarationState after = new DeclarationState(DeclarationKind.TOOLS, accepted, present, LATE, 2);
        Event changed = AgentEvents.declarationChanged(Pulses.active(), "billing", before, after, LATE);
        assertThat(changed.detail())
                .containsEntry("of", "tools")
                .containsEntry("added", List.of("tool:b"))
                .containsEntry("removed", List.of("tool:a"))
                .containsEntry("digest", present.digest())
                .containsEntry("accepted_digest", accepted.digest());
        Event over = AgentEvents.declarationChanged(Pulses.active(), "billing", after, before, LATE);
        assertThat(over.detail()).containsEntry("of", "tools").containsEntry("added", List.of());
    }

    @Test
    void a_stall_says_since_when_and_its_end_how_long_it_was() {
        HeartbeatConfig config = HeartbeatConfig.DEFAULT.with(new StallConfig(Map.of(Phase.TOOL, 60), false));
        Pulse stuck = Pulses.active(config)
                .withHeartbeat(
                        new Heartbeat(
                                false,
                                Workload.NOT_REPORTED,
                                false,
                                List.of(),
                                Heartbeat.UNKNOWN_TIME,
                                ProcessStart.UNKNOWN,
                                Pulse.ANY_INCARNATION,
                                new ReportedActivity(Phase.TOOL, Duration.ofSeconds(90)),
                                SeenBy.HEARTBEAT),
                        LATE);
        StallChange begins = StallRule.due(stuck, Pulses.NO_GRACE, false, LATE).orElseThrow();
        Event begun = AgentEvents.of(begins, "billing");
        assertThat(begun.type()).isEqualTo(EventType.AGENT_STALLED);
        assertThat(begun.sequence()).isEqualTo(begins.after().sequence());
        assertThat(begun.detail())
                .containsEntry("phase", "tool")
                .containsEntry("no_progress_seconds", 90L)
                .containsEntry("stall_after_seconds", 60L)
                .containsEntry("stalled_since", "2026-02-08T10:01:10.000Z");
        Pulse moved = Pulses.afterHeartbeat(begins.after(), LATE.plusSeconds(20));
        Event over = AgentEvents.of(
                StallRule.due(moved, Pulses.NO_GRACE, false, LATE.plusSeconds(20))
                        .orElseThrow(),
                "billing");
        assertThat(over.type()).isEqualTo(EventType.AGENT_STALL_OVER);
        assertThat(over.detail()).containsEntry("phase", "tool").containsEntry("stalled_seconds", 50L);
    }

    @Test
    void a_run_that_did_not_come_is_named_with_its_time_zone() {
        RunSchedule daily = new RunSchedule() {
            @Override
            public Instant expectedAfter(Instant seenAt) {
                return seenAt.plusSeconds(10);
            }

            @Override
            public Duration grace() {
                return Duration.ofSeconds(5);
            }

            @Override
            public String timeZone() {
                return "Europe/Berlin";
            }
        };
        LifeSigns signs = new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.of(daily), false);
        Pulse before = Pulses.active(HeartbeatConfig.DEFAULT.with(signs));
        Pulse silent = Pulses.in(LifecycleStatus.UNHEALTHY, HeartbeatConfig.DEFAULT.with(signs));
        Transition late = new Transition(
                before, silent, LifecycleReason.HEARTBEAT_TIMEOUT, T0.plusSeconds(15), T0.plusSeconds(20));
        assertThat(detail(late, ProbeState.NONE))
                .containsEntry("expected_at", "2026-02-08T10:00:10.000Z")
                .containsEntry("time_zone", "Europe/Berlin")
                .containsEntry("deadline_at", "2026-02-08T10:00:15.000Z");
        assertThat(detail(silence(Pulses.active()), ProbeState.NONE)).doesNotContainKeys("expected_at", "time_zone");
    }
}
