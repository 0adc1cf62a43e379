package dev.agenthealth.model.health.availability;

import static dev.agenthealth.model.health.availability.AvailabilityState.DOWN;
import static dev.agenthealth.model.health.availability.AvailabilityState.UNKNOWN;
import static dev.agenthealth.model.health.availability.AvailabilityState.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AgentDayTest {

    private static final long DAY = AgentDay.at(Pulses.T0);
    private static final Instant START = AgentDay.start(DAY);

    /** A day with these states, each from an hour on. */
    private static AgentDay day(long day, Object... hoursAndStates) {
        Timeline.Builder states = new Timeline.Builder(AgentDay.start(day), AgentDay.start(day + 1));
        for (int i = 0; i < hoursAndStates.length; i += 2) {
            Instant at = AgentDay.start(day).plus(Duration.ofHours((int) hoursAndStates[i]));
            states.add(new Span(at, AgentDay.start(day + 1), (AvailabilityState) hoursAndStates[i + 1]));
        }
        return AgentDay.of(day, states.timeline(), AgentDay.NOT_STORED);
    }

    private static FleetRow row(Pulse pulse) {
        return new FleetRow(pulse, HealthSummary.NONE, Watch.NOT_WATCHED);
    }

    private static List<AvailabilityState> states(Timeline timeline) {
        return timeline.spans().stream().map(Span::state).toList();
    }

    @Test
    void a_day_is_one_of_utc() {
        assertThat(AgentDay.at(START)).isEqualTo(DAY);
        assertThat(AgentDay.at(START.minusMillis(1))).isEqualTo(DAY - 1);
        assertThat(AgentDay.at(Instant.ofEpochSecond(-1))).isEqualTo(-1);
    }

    @Test
    void a_day_with_one_state_has_no_change() {
        assertThat(day(DAY, 0, UP).hasChange()).isFalse();
        assertThat(day(DAY, 0, UP, 12, DOWN).hasChange()).isTrue();
    }

    @Test
    void of_too_many_changes_those_before_the_last_are_unknown() {
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < AgentDay.MAX_SPANS + 5; i++) {
            spans.add(new Span(START.plusSeconds(60 * i), START.plusSeconds(60 * (i + 1)), i % 2 == 0 ? UP : DOWN));
        }
        List<Span> fitting = spans.subList(0, AgentDay.MAX_SPANS);
        assertThat(AgentDay.of(DAY, new Timeline(fitting), AgentDay.NOT_STORED)
                        .states()
                        .spans())
                .isEqualTo(fitting);
        List<Span> kept = AgentDay.of(DAY, new Timeline(spans), AgentDay.NOT_STORED)
                .states()
                .spans();
        assertThat(kept).hasSize(AgentDay.MAX_SPANS);
        assertThat(kept.subList(0, AgentDay.MAX_SPANS - 2)).isEqualTo(spans.subList(0, AgentDay.MAX_SPANS - 2));
        Span last = spans.get(spans.size() - 1);
        assertThat(kept.get(AgentDay.MAX_SPANS - 2))
                .isEqualTo(new Span(spans.get(AgentDay.MAX_SPANS - 2).from(), last.from(), UNKNOWN));
        assertThat(kept.get(AgentDay.MAX_SPANS - 1)).isEqualTo(last);
    }

    @Test
    void days_that_are_not_stored_had_no_change() {
        Instant to = AgentDay.start(DAY + 4);
        assertThat(AgentDay.timeline(START, to, List.of(), AgentDay::states, UP).spans())
                .containsExactly(new Span(START, to, UP));
        Timeline two = AgentDay.timeline(
                START, to, List.of(day(DAY, 0, UP, 6, DOWN), day(DAY + 2, 0, DOWN, 3, UP)), AgentDay::states, UP);
        assertThat(two.spans())
                .containsExactly(
                        new Span(START, START.plus(Duration.ofHours(6)), UP),
                        new Span(START.plus(Duration.ofHours(6)), START.plus(Duration.ofHours(51)), DOWN),
                        new Span(START.plus(Duration.ofHours(51)), to, UP));
    }

    @Test
    void where_days_contradict_the_time_between_them_is_unknown() {
        Instant to = AgentDay.start(DAY + 4);
        Timeline lost = AgentDay.timeline(
                START, to, List.of(day(DAY, 0, UP, 6, DOWN), day(DAY + 2, 0, UP, 3, DOWN)), AgentDay::states, DOWN);
        assertThat(states(lost)).containsExactly(UP, DOWN, UNKNOWN, UP, DOWN);
        assertThat(lost.spans().get(2)).isEqualTo(new Span(AgentDay.start(DAY + 1), AgentDay.start(DAY + 2), UNKNOWN));
        Timeline end = AgentDay.timeline(START, to, List.of(day(DAY, 0, UP, 6, DOWN)), AgentDay::heartbeats, UP);
        assertThat(states(end)).containsExactly(UP, DOWN, UNKNOWN);
        assertThat(states(AgentDay.timeline(
                        START.minusSeconds(60), to, List.of(day(DAY, 0, UP, 6, DOWN)), AgentDay::states, DOWN)))
                .containsExactly(UP, DOWN);
    }

    @Test
    void each_day_with_a_change_is_due_once_on_the_day_after_it() {
        Pulse pulse = Pulses.active();
        Instant begin = Pulses.T0.minus(Duration.ofDays(5));
        List<Long> due = new ArrayList<>();
        Set<Long> hours = new TreeSet<>();
        for (long hour = 0; hour < 24 * 10; hour++) {
            Instant after = begin.plus(Duration.ofHours(hour));
            List<Long> found = AgentDayRule.due(row(pulse), after, after.plus(Duration.ofHours(1)));
            due.addAll(found);
            found.forEach(day -> hours.add(AgentDay.at(after)));
        }
        assertThat(due).containsExactly(DAY);
        assertThat(hours).containsAnyOf(DAY + 1, DAY + 2).hasSize(1);
    }

    @Test
    void days_before_a_later_status_are_due_as_well() {
        Pulse again =
                Pulses.active().withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, Pulses.T0.plus(Duration.ofDays(2)));
        Instant end = Pulses.T0.plus(Duration.ofDays(9));
        assertThat(AgentDayRule.due(row(again), Pulses.T0.plus(Duration.ofDays(1)), end))
                .contains(DAY + 1, DAY + 2)
                .doesNotContain(DAY + 3);
        assertThat(AgentDayRule.due(row(again), end, end)).isEmpty();
    }

    @Test
    void an_agent_that_is_archived_has_the_days_that_are_not_due_yet() {
        Pulse pulse = Pulses.active();
        assertThat(AgentDayRule.pending(row(pulse), Pulses.T0)).containsExactly(DAY);
        Instant dueAt = Pulses.T0;
        while (AgentDayRule.due(row(pulse), Pulses.T0, dueAt).isEmpty()) {
            dueAt = dueAt.plusSeconds(60);
        }
        assertThat(AgentDayRule.pending(row(pulse), dueAt.minusSeconds(60))).containsExactly(DAY);
        assertThat(AgentDayRule.pending(row(pulse), dueAt)).isEmpty();
    }

    @Test
    void a_day_of_an_earlier_version_is_by_heartbeats_and_a_later_one_by_the_verdict() {
        AgentDay earlier = day(DAY, 0, UP);
        assertThat(earlier.hasVerdicts()).isFalse();
        assertThat(earlier.states()).isEqualTo(earlier.heartbeats());
        Timeline verdicts = day(DAY, 0, UP, 3, DOWN).states();
        AgentDay later = AgentDay.of(DAY, earlier.heartbeats(), verdicts);
        assertThat(later.hasVerdicts()).isTrue();
        assertThat(later.hasChange()).isTrue();
        assertThat(later.states()).isEqualTo(verdicts);
    }

    @Test
    void every_day_of_a_measured_agent_may_have_a_change() {
        FleetRow measured = new FleetRow(
                Pulses.active(),
                new HealthSummary(HealthStatus.UNHEALTHY, HealthSummary.INACTIVE, 0, 0, Instant.EPOCH),
                Watch.NOT_WATCHED);
        Instant end = Pulses.T0.plus(Duration.ofDays(9));
        assertThat(AgentDayRule.due(measured, Pulses.T0.plus(Duration.ofDays(3)), end))
                .hasSize(6);
        assertThat(AgentDayRule.due(row(Pulses.active()), Pulses.T0.plus(Duration.ofDays(3)), end))
                .isEmpty();
    }
}
