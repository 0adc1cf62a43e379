package dev.agenthealth.model.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("AHS-09")
@Tag("AHM-07")
class MeasurementWindowTest {

    /** A window of an hour has slices of two minutes. */
    private static final MeasurementWindow HOUR = new MeasurementWindow(Duration.ofHours(1));

    private static final Slice SLICE =
            HOUR.sliceAt(Instant.parse("2026-02-08T10:00:00Z")); // until 10:02, in the window until 11:02

    @Test
    void it_lasts_24_hours_by_default() {
        assertThat(MeasurementWindow.DEFAULT.length()).isEqualTo(Duration.ofSeconds(86_400));
    }

    @ParameterizedTest(name = "a window of {0} s has slices of {1} s")
    @CsvSource({
        "300,       10",
        "301,       10",
        "599,       10",
        "600,       20",
        "899,       20",
        "900,       30",
        "1799,      30",
        "1800,      60",
        "3600,     120",
        "8999,     120",
        "9000,     300",
        "18000,    600",
        "36000,   1200",
        "43200,   1200",
        "54000,   1800",
        "86399,   1800",
        "86400,   1800",
        "108000,  3600",
        "216000,  7200",
        "324000, 10800",
        "431999, 10800",
        "432000, 14400",
        "604800, 14400"
    })
    void a_slice_is_as_long_as_fits_thirty_times(long seconds, int width) {
        assertThat(new MeasurementWindow(Duration.ofSeconds(seconds)).sliceWidth())
                .isEqualTo(width);
    }

    @ParameterizedTest(name = "{1} in a window of {0} s is in the slice from {2} to {3}")
    @CsvSource({
        "3600,   2026-02-08T10:00:00Z,           2026-02-08T10:00:00Z, 2026-02-08T10:02:00Z",
        "3600,   2026-02-08T10:01:59.999999999Z, 2026-02-08T10:00:00Z, 2026-02-08T10:02:00Z",
        "3600,   2026-02-08T10:02:00Z,           2026-02-08T10:02:00Z, 2026-02-08T10:04:00Z",
        "300,    2026-02-08T10:00:09.999Z,       2026-02-08T10:00:00Z, 2026-02-08T10:00:10Z",
        "86400,  2026-02-08T10:59:59Z,           2026-02-08T10:30:00Z, 2026-02-08T11:00:00Z",
        "324000, 2026-02-08T23:59:59Z,           2026-02-08T21:00:00Z, 2026-02-09T00:00:00Z",
        "604800, 2026-02-08T23:59:59Z,           2026-02-08T20:00:00Z, 2026-02-09T00:00:00Z",
        "3600,   1969-12-31T23:59:59.5Z,         1969-12-31T23:58:00Z, 1970-01-01T00:00:00Z"
    })
    void slices_lie_on_round_moments(long seconds, Instant moment, Instant start, Instant end) {
        Slice slice = new MeasurementWindow(Duration.ofSeconds(seconds)).sliceAt(moment);
        assertThat(Instant.ofEpochSecond(slice.start())).isEqualTo(start);
        assertThat(slice.end()).isEqualTo(end);
    }

    @ParameterizedTest(
            name = "at {0} the slice from 10:00 to 10:02 counts: {1}, counted before: {2}, and leaves at {3}")
    @CsvSource({
        "2026-02-08T10:01:00Z,           true,  false, 2026-02-08T11:02:00Z",
        "2026-02-08T11:00:00Z,           true,  false, 2026-02-08T11:02:00Z",
        "2026-02-08T11:01:59.999999999Z, true,  false, 2026-02-08T11:02:00Z",
        "2026-02-08T11:02:00Z,           false, true,  2026-02-08T12:02:00Z",
        "2026-02-08T12:01:59.999999999Z, false, true,  2026-02-08T12:02:00Z",
        "2026-02-08T12:02:00Z,           false, false, 2026-02-08T12:02:00Z",
        // a reporter's clock may be ahead: what it reports counts
        "2026-02-08T09:57:00Z,           true,  false, 2026-02-08T11:02:00Z"
    })
    @Tag("AHS-10")
    void a_slice_counts_until_its_last_moment_is_a_window_ago(
            Instant now, boolean holds, boolean heldBefore, Instant leavesAt) {
        assertThat(HOUR.holds(SLICE, now)).isEqualTo(holds);
        assertThat(HOUR.heldBefore(SLICE, now)).isEqualTo(heldBefore);
        assertThat(HOUR.leavesAt(SLICE, now)).isEqualTo(leavesAt);
    }

    @Test
    void outcomes_are_accepted_from_two_windows_back_to_five_minutes_ahead() {
        Instant now = Instant.parse("2026-02-08T10:00:00.123Z");
        assertThat(HOUR.earliest(now)).isEqualTo("2026-02-08T08:00:00.123Z");
        assertThat(HOUR.latest(now)).isEqualTo("2026-02-08T10:05:00.123Z");
    }

    @ParameterizedTest(name = "{0} s after its end a slice is closed: {1}")
    @CsvSource({"-1, false", "0, false", "119, false", "120, true"})
    void a_slice_stays_open_for_two_minutes_after_its_end(long seconds, boolean closed) {
        assertThat(SLICE.isClosed(SLICE.end().plusSeconds(seconds))).isEqualTo(closed);
    }

    @Test
    void slices_are_ordered_by_their_start_and_then_by_their_width() {
        Slice first = new Slice(0, 60);
        Slice wider = new Slice(0, 120);
        Slice later = new Slice(60, 60);
        assertThat(Stream.of(later, wider, first).sorted()).isEqualTo(List.of(first, wider, later));
        assertThat(first).isEqualByComparingTo(new Slice(0, 60));
    }
}
