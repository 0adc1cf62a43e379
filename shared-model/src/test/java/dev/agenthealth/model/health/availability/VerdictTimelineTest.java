package dev.agenthealth.model.health.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.VerdictReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The states of an agent by its verdict. */
class VerdictTimelineTest {

    private static final Instant FROM = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant TO = FROM.plusSeconds(1_000);

    private static VerdictChange change(long second, VerdictReason before, VerdictReason after) {
        return new VerdictChange(
                FROM.plusSeconds(second),
                VerdictSource.of(after == null ? before : after),
                Optional.ofNullable(before),
                Optional.ofNullable(after),
                after == VerdictReason.SILENT ? Optional.of(LifecycleReason.HEARTBEAT_TIMEOUT) : Optional.empty());
    }

    private static List<String> states(List<VerdictChange> changes, VerdictReason... now) {
        return VerdictTimeline.of(FROM, TO, FROM, changes, List.of(now)).spans().stream()
                .map(span -> Duration.between(FROM, span.from()).toSeconds() + " "
                        + span.state().wireName()
                        + span.reason().map(reason -> " " + reason.wireName()).orElse(""))
                .toList();
    }

    @Test
    void without_changes_the_reasons_of_now_held_all_the_time() {
        assertThat(states(List.of())).containsExactly("0 up");
        assertThat(states(List.of(), VerdictReason.HEALTH_UNHEALTHY)).containsExactly("0 down health_unhealthy");
        assertThat(states(List.of(), VerdictReason.NO_SIGN_OF_LIFE)).containsExactly("0 unknown");
    }

    @Test
    void the_worst_reason_counts_and_another_one_shows_when_it_ends() {
        List<VerdictChange> changes = List.of(
                change(100, null, VerdictReason.SCORE_DEGRADED),
                change(200, null, VerdictReason.HEALTH_UNHEALTHY),
                change(300, VerdictReason.HEALTH_UNHEALTHY, null),
                change(400, VerdictReason.SCORE_DEGRADED, null));
        assertThat(states(changes))
                .containsExactly(
                        "0 up",
                        "100 degraded score_degraded",
                        "200 down health_unhealthy",
                        "300 degraded score_degraded",
                        "400 up");
    }

    @Test
    void a_reason_that_ends_in_the_window_held_from_its_beginning() {
        assertThat(states(List.of(change(300, VerdictReason.LAST_RUN_FAILED, null))))
                .containsExactly("0 down last_run_failed", "300 up");
    }

    @Test
    void measurements_of_a_dead_agent_do_not_count_and_its_block_does() {
        List<VerdictChange> changes = List.of(
                change(100, null, VerdictReason.HEALTH_DEGRADED),
                change(200, null, VerdictReason.SILENT),
                change(300, VerdictReason.SILENT, VerdictReason.DEAD),
                change(400, null, VerdictReason.AGENT_BLOCKED),
                change(500, VerdictReason.DEAD, VerdictReason.DISMISSED));
        assertThat(states(changes, VerdictReason.DISMISSED, VerdictReason.AGENT_BLOCKED))
                .containsExactly(
                        "0 up",
                        "100 degraded health_degraded",
                        "200 degraded heartbeat_timeout",
                        "300 down dead",
                        "400 down agent_blocked",
                        "500 none");
    }

    @Test
    void a_reason_without_events_counts_from_the_last_event_on() {
        List<VerdictChange> changes = List.of(change(100, VerdictReason.DEREGISTERED, null));
        assertThat(states(changes, VerdictReason.PROVIDER_BLOCKED))
                .containsExactly("0 none", "100 down provider_blocked");
        assertThat(states(List.of(), VerdictReason.PROVIDER_BLOCKED)).containsExactly("0 down provider_blocked");
    }

    @Test
    void degraded_and_down_time_in_a_silence_is_maintenance_and_counts_neither_way() {
        Timeline states = VerdictTimeline.of(
                FROM, TO, FROM, List.of(change(500, null, VerdictReason.DEAD)), List.of(VerdictReason.DEAD));
        Coverage silence = Coverage.ofPeriods(List.of(
                new Coverage.Period(FROM.plusSeconds(700), FROM.plusSeconds(750)),
                new Coverage.Period(FROM.plusSeconds(400), FROM.plusSeconds(600)),
                new Coverage.Period(FROM.plusSeconds(600), FROM.plusSeconds(700))));
        assertThat(silence.observed()).hasSize(1);
        Availability availability =
                Availability.of(states.inMaintenance(silence), states, Coverage.ALL, Optional.empty());
        assertThat(availability.seconds())
                .containsEntry(AvailabilityState.UP, 500L)
                .containsEntry(AvailabilityState.MAINTENANCE, 250L)
                .containsEntry(AvailabilityState.DOWN, 250L);
        assertThat(availability.ratio().orElseThrow()).isEqualByComparingTo("0.6666");
        assertThat(availability.heartbeats().share().orElseThrow()).isEqualByComparingTo("0.5");
    }
}
