package dev.agenthealth.model.health.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class AvailabilityPropertyTest {

    private static final long MINUTE = 29_000_000;
    private static final int MINUTES = 120;
    private static final Instant FROM = Instant.ofEpochSecond(MINUTE * 60);
    private static final Instant TO = FROM.plusSeconds(MINUTES * 60);

    /** The status from a second of the window on; changes may lie before the window. */
    @Provide
    Arbitrary<Map<Integer, LifecycleStatus>> statuses() {
        return Arbitraries.maps(
                        Arbitraries.integers().between(-600, MINUTES * 60 - 1), Arbitraries.of(LifecycleStatus.class))
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<Set<Long>> minutes() {
        return Arbitraries.longs()
                .between(MINUTE - 5, MINUTE + MINUTES - 1)
                .set()
                .ofMaxSize(MINUTES);
    }

    @Property
    void every_second_has_the_state_of_its_status_or_is_unknown(
            @ForAll("statuses") Map<Integer, LifecycleStatus> statuses, @ForAll("minutes") Set<Long> minutes) {
        Timeline states = timeline(statuses);
        Availability availability = Availability.of(states, states, Coverage.ofMinutes(minutes, TO), Optional.empty());
        for (int second = 0; second < MINUTES * 60; second += 7) {
            AvailabilityState recorded = AvailabilityState.of(status(statuses, second));
            long minute = MINUTE + second / 60;
            boolean observed = minutes.contains(minute) || isTail(minutes, minute);
            AvailabilityState expected =
                    recorded == AvailabilityState.NONE || observed ? recorded : AvailabilityState.UNKNOWN;
            assertThat(state(availability.intervals(), FROM.plusSeconds(second)))
                    .as("second %d", second)
                    .isEqualTo(expected);
        }
    }

    /** Returns whether a minute follows the last observed one, which is at most two minutes ago. */
    private static boolean isTail(Set<Long> minutes, long minute) {
        long last = minutes.stream().mapToLong(Long::longValue).max().orElse(0);
        return minute > last && last >= MINUTE + MINUTES - 3;
    }

    @Property
    void the_lengths_add_up_to_the_window_and_no_intervals_overlap(
            @ForAll("statuses") Map<Integer, LifecycleStatus> statuses, @ForAll("minutes") Set<Long> minutes) {
        Availability availability = Availability.of(
                timeline(statuses), timeline(statuses), Coverage.ofMinutes(minutes, TO), Optional.empty());
        Instant end = FROM;
        for (Span span : availability.intervals()) {
            assertThat(span.from()).isEqualTo(end);
            end = span.to();
        }
        assertThat(end).isEqualTo(TO);
        assertThat(availability.seconds().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(MINUTES * 60);
    }

    @Property
    void incidents_hold_all_time_that_is_known_to_be_degraded_or_down(
            @ForAll("statuses") Map<Integer, LifecycleStatus> statuses, @ForAll("minutes") Set<Long> minutes) {
        Availability availability = Availability.of(
                timeline(statuses), timeline(statuses), Coverage.ofMinutes(minutes, TO), Optional.empty());
        assertThat(availability.incidents().stream()
                        .mapToLong(Incident::seconds)
                        .sum())
                .isEqualTo(availability.seconds().get(AvailabilityState.DEGRADED)
                        + availability.seconds().get(AvailabilityState.DOWN));
        Instant end = Instant.MIN;
        for (Incident incident : availability.incidents()) {
            assertThat(incident.from()).isAfter(end);
            end = incident.to().orElse(TO);
            assertThat(end).isAfter(incident.from());
        }
    }

    @Property
    void two_halves_are_the_whole(
            @ForAll("statuses") Map<Integer, LifecycleStatus> statuses,
            @ForAll @IntRange(min = 1, max = MINUTES * 60 - 1) int cut) {
        Timeline whole = timeline(statuses);
        Instant middle = FROM.plusSeconds(cut);
        for (AvailabilityState state : AvailabilityState.values()) {
            assertThat(whole.between(FROM, middle).seconds(state)
                            + whole.between(middle, TO).seconds(state))
                    .isEqualTo(whole.seconds(state));
        }
    }

    private static Timeline timeline(Map<Integer, LifecycleStatus> statuses) {
        List<StatusChange> changes = new ArrayList<>();
        LifecycleStatus[] before = {LifecycleStatus.REGISTERING};
        new TreeMap<>(statuses).forEach((second, status) -> {
            changes.add(new StatusChange(
                    FROM.plusSeconds(second).plusMillis(3),
                    before[0],
                    status,
                    Optional.of(LifecycleReason.HEARTBEAT_TIMEOUT)));
            before[0] = status;
        });
        return Timeline.of(FROM, TO.plusMillis(5), FROM, changes, LifecycleStatus.REGISTERING);
    }

    private static LifecycleStatus status(Map<Integer, LifecycleStatus> statuses, int second) {
        Map.Entry<Integer, LifecycleStatus> last = new TreeMap<>(statuses).floorEntry(second);
        return last == null ? LifecycleStatus.REGISTERING : last.getValue();
    }

    private static AvailabilityState state(List<Span> spans, Instant moment) {
        return spans.stream()
                .filter(span -> !span.from().isAfter(moment) && span.to().isAfter(moment))
                .map(Span::state)
                .findFirst()
                .orElseThrow();
    }

    @Property
    void a_time_is_that_of_its_parts_one_after_the_other(
            @ForAll("statuses") Map<Integer, LifecycleStatus> statuses,
            @ForAll @IntRange(min = 1, max = 7_199) int second) {
        Timeline whole = timeline(statuses);
        Instant cut = FROM.plusSeconds(second);
        Timeline first = whole.between(FROM, cut);
        Timeline rest = whole.between(cut, TO);
        assertThat(first.then(rest)).isEqualTo(whole);
        Timeline none = new Timeline(List.of());
        assertThat(none.then(rest)).isSameAs(rest);
        assertThat(first.then(none)).isSameAs(first);
        assertThat(none.observed(Coverage.ALL)).isSameAs(none);
    }

    @Property
    void an_incident_has_the_reason_of_its_beginning_and_other_times_have_none(
            @ForAll("statuses") Map<Integer, LifecycleStatus> statuses) {
        assertThat(timeline(statuses).spans())
                .filteredOn(span -> span.from().isAfter(FROM))
                .allSatisfy(span -> assertThat(span.reason().isPresent())
                        .isEqualTo(Set.of(AvailabilityState.DEGRADED, AvailabilityState.DOWN)
                                .contains(span.state())));
    }
}
