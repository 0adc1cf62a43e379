package dev.agenthealth.model.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;

/** What holds of every window that may be declared. */
@Tag("AHS-09")
@Tag("AHM-07")
class MeasurementWindowPropertyTest {

    private static final int SHORTEST = 300;
    private static final int LONGEST = 604_800;

    @Provide
    Arbitrary<MeasurementWindow> windows() {
        Arbitrary<Integer> lengths = Arbitraries.oneOf(
                Arbitraries.of(SHORTEST, 3_600, 86_400, LONGEST),
                Arbitraries.integers().between(SHORTEST, LONGEST));
        // Earlier than twice the longest window before any of the moments.
        Arbitrary<Long> starts =
                Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs().between(0, 1_690_000_000));
        return Combinators.combine(lengths, starts)
                .as((seconds, start) ->
                        new MeasurementWindow(Duration.ofSeconds(seconds), Instant.ofEpochSecond(start)));
    }

    @Provide
    Arbitrary<Instant> moments() {
        // Near the boundaries of slices, and anywhere.
        Arbitrary<Long> seconds = Arbitraries.oneOf(
                Arbitraries.longs().between(1_700_000_000, 1_900_000_000),
                Arbitraries.longs().between(118_100, 131_000).map(slice -> slice * 14_400));
        Arbitrary<Long> nanos = Arbitraries.oneOf(
                Arbitraries.of(0L, 1L, -1L), Arbitraries.longs().between(-2_000_000_000, 2_000_000_000));
        return Combinators.combine(seconds, nanos)
                .as((second, nano) -> Instant.ofEpochSecond(second).plusNanos(nano));
    }

    @Example
    void every_window_is_made_of_at_least_thirty_slices_and_not_of_many_more() {
        for (int seconds = SHORTEST; seconds <= LONGEST; seconds++) {
            int width = new MeasurementWindow(Duration.ofSeconds(seconds)).sliceWidth();
            assertThat((long) width * 30).as("30 slices of %s s", seconds).isLessThanOrEqualTo(seconds);
            assertThat((long) width * 75).as("75 slices of %s s", seconds).isGreaterThanOrEqualTo(seconds);
        }
    }

    @Example
    void a_longer_window_never_has_shorter_slices() {
        int before = 0;
        for (int seconds = SHORTEST; seconds <= LONGEST; seconds++) {
            int width = new MeasurementWindow(Duration.ofSeconds(seconds)).sliceWidth();
            assertThat(width).isGreaterThanOrEqualTo(before);
            before = width;
        }
    }

    @Property
    void slices_follow_each_other_from_the_start_of_the_measurement(
            @ForAll("windows") MeasurementWindow window, @ForAll("moments") Instant moment) {
        Slice slice = window.sliceAt(moment);
        assertThat(slice.width()).isEqualTo(window.sliceWidth());
        assertThat((slice.start() - window.start().getEpochSecond()) % slice.width())
                .isZero();
        assertThat(moment)
                .isAfterOrEqualTo(Instant.ofEpochSecond(slice.start()))
                .isBefore(slice.end());
        assertThat(window.sliceAt(slice.end()).start()).isEqualTo(slice.start() + slice.width());
    }

    @Property
    void every_moment_of_the_last_window_counts(
            @ForAll("windows") MeasurementWindow window,
            @ForAll("moments") Instant now,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 1) double share) {
        Instant moment = now.minusNanos((long) (window.length().toNanos() * share));
        assertThat(window.holds(window.sliceAt(moment), now)).isTrue();
        assertThat(window.holds(window.sliceAt(window.latest(now)), now)).isTrue();
    }

    @Property
    void nothing_counts_that_is_older_than_the_window_and_one_slice(
            @ForAll("windows") MeasurementWindow window,
            @ForAll("moments") Instant now,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 3) double windows) {
        Instant moment = now.minus(window.length())
                .minusSeconds(window.sliceWidth())
                .minusNanos((long) (window.length().toNanos() * windows));
        assertThat(window.holds(window.sliceAt(moment), now)).isFalse();
    }

    @Property
    @Tag("AHS-10")
    void a_slice_counts_in_this_window_or_the_one_before_or_in_neither_and_moves_on_in_this_order(
            @ForAll("windows") MeasurementWindow window,
            @ForAll("moments") Instant now,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 4) double windows) {
        Slice slice = window.sliceAt(now.minusNanos((long) (window.length().toNanos() * windows)));
        assertThat(window.holds(slice, now) && window.heldBefore(slice, now)).isFalse();
        Instant windowLater = now.plus(window.length());
        // What counts now is what counted before, once a whole window has passed; only the slice that now is in counts
        // on.
        boolean open = slice.end().isAfter(now);
        assertThat(window.holds(slice, windowLater)).isEqualTo(open);
        assertThat(window.heldBefore(slice, windowLater)).isEqualTo(window.holds(slice, now) && !open);
    }

    @Property
    @Tag("AHS-10")
    void neighbouring_slices_belong_to_the_same_window_or_to_neighbouring_ones(
            @ForAll("windows") MeasurementWindow window, @ForAll("moments") Instant now) {
        int changes = 0;
        Slice slice = window.sliceAt(window.earliest(now).minusSeconds(2L * window.sliceWidth()));
        int place = place(window, slice, now);
        assertThat(place).isZero();
        while (slice.start() <= now.getEpochSecond()) {
            Slice next = window.sliceAt(slice.end());
            int nextPlace = place(window, next, now);
            assertThat(nextPlace - place).isBetween(0, 1);
            changes += nextPlace - place;
            slice = next;
            place = nextPlace;
        }
        assertThat(changes).isEqualTo(2);
    }

    /** 0: in neither window, 1: in the one before, 2: in the current one. */
    private static int place(MeasurementWindow window, Slice slice, Instant now) {
        return window.holds(slice, now) ? 2 : window.heldBefore(slice, now) ? 1 : 0;
    }

    @Property
    void a_slice_that_counts_leaves_at_exactly_the_moment_it_says(
            @ForAll("windows") MeasurementWindow window,
            @ForAll("moments") Instant now,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 2) double windows) {
        Slice slice = window.sliceAt(now.minusNanos((long) (window.length().toNanos() * windows)));
        int place = place(window, slice, now);
        Instant leavesAt = window.leavesAt(slice, now);
        assertThat(place).isPositive();
        assertThat(leavesAt).isAfter(now);
        assertThat(place(window, slice, leavesAt.minusNanos(1))).isEqualTo(place);
        assertThat(place(window, slice, leavesAt)).isEqualTo(place - 1);
    }

    @Property
    @Tag("AHS-10")
    void the_earliest_outcome_that_is_accepted_still_counts_in_the_window_before(
            @ForAll("windows") MeasurementWindow window, @ForAll("moments") Instant now) {
        assertThat(window.heldBefore(window.sliceAt(window.earliest(now)), now)).isTrue();
    }

    @Property
    void of_two_measurements_that_restart_one_after_the_other_each_moment_counts_in_one(
            @ForAll("windows") MeasurementWindow before,
            @ForAll("windows") MeasurementWindow after,
            @ForAll("moments") Instant now,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 1) double share,
            @ForAll @IntRange(min = 1, max = 4_000) int secondsAgo) {
        Instant restart = Instant.ofEpochSecond(now.getEpochSecond() - secondsAgo);
        MeasurementWindow restarted = new MeasurementWindow(after.length(), restart);
        Instant moment = now.minusNanos((long) (before.length().toNanos() * share));
        Slice old = before.sliceAt(moment);
        if (restarted.holds(old, now)) {
            assertThat(old).isEqualTo(restarted.sliceAt(moment));
            assertThat(old.start()).isGreaterThanOrEqualTo(restart.getEpochSecond());
        }
        boolean counts = restarted.holds(restarted.sliceAt(moment), now);
        if (moment.isBefore(restart)) {
            assertThat(counts).isFalse();
        } else if (!moment.isBefore(now.minus(after.length()))) {
            assertThat(counts).isTrue();
        }
        assertThat(restarted.firstSlice(now).start()).isGreaterThanOrEqualTo(restart.getEpochSecond());
    }
}
