package dev.agenthealth.model.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("AHM-07")
class WidthHistoryTest {

    private static final Instant CHANGED = Instant.parse("2026-02-08T10:00:00Z");
    private static final WidthHistory ONE_CHANGE = new WidthHistory(1_800, List.of()).changedTo(120, CHANGED);

    @ParameterizedTest
    @CsvSource({"-1000, 1800", "0, 1800", "119999, 1800", "120000, 120"})
    void a_change_comes_into_force_after_two_minutes(long millis, int width) {
        assertThat(ONE_CHANGE.inForce(CHANGED.plusMillis(millis))).isEqualTo(width);
    }

    @Test
    void of_several_changes_each_comes_into_force_two_minutes_later() {
        WidthHistory history =
                ONE_CHANGE.changedTo(10, CHANGED.plusSeconds(30)).changedTo(1_800, CHANGED.plusSeconds(40));
        assertThat(history.inForce(CHANGED.plusSeconds(119))).isEqualTo(1_800);
        assertThat(history.inForce(CHANGED.plusSeconds(149))).isEqualTo(120);
        assertThat(history.inForce(CHANGED.plusSeconds(159))).isEqualTo(10);
        assertThat(history.inForce(CHANGED.plusSeconds(160))).isEqualTo(1_800);
        assertThat(history.others(CHANGED.plusSeconds(160)))
                .extracting(FormerWidth::width)
                .containsExactly(120, 10);
    }

    @Test
    void a_window_whose_slices_have_the_same_width_is_no_change() {
        assertThat(ONE_CHANGE.changedTo(120, CHANGED.plusSeconds(5))).isEqualTo(ONE_CHANGE);
        assertThat(WidthHistory.of(MeasurementWindow.DEFAULT).isSteady(CHANGED)).isTrue();
    }

    /** Slices of half an hour may belong to a window of up to 107,999 s, and are still there two of these after their end. */
    @Test
    void a_width_is_remembered_as_long_as_its_slices_may_be_there() {
        Instant last = CHANGED.plus(Duration.ofMinutes(7))
                .plusSeconds(1_800 + 2 * 107_999)
                .plus(Duration.ofHours(2));
        assertThat(ONE_CHANGE.isSteady(last.minusMillis(1))).isFalse();
        assertThat(ONE_CHANGE.others(last.minusMillis(1))).hasSize(1);
        assertThat(ONE_CHANGE.isSteady(last)).isTrue();
        assertThat(ONE_CHANGE.others(last)).isEmpty();
        assertThat(ONE_CHANGE.changedTo(10, last).former()).containsExactly(new FormerWidth(120, last));
        assertThat(ONE_CHANGE.changedTo(10, last.minusMillis(1)).former()).hasSize(2);
    }

    @Test
    void only_slices_that_may_be_there_hold_anything_from_before() {
        FormerWidth former = ONE_CHANGE.former().get(0);
        Instant now = CHANGED.plusSeconds(3_600);
        Instant latest = CHANGED.plus(Duration.ofMinutes(7));
        assertThat(former.mayHold(Slice.at(latest, 1_800), now)).isTrue();
        assertThat(former.mayHold(new Slice(latest.getEpochSecond(), 1_800), now))
                .isTrue();
        assertThat(former.mayHold(new Slice(latest.getEpochSecond() + 1, 1_800), now))
                .isFalse();
        assertThat(former.mayHold(Slice.at(now.minus(Duration.ofDays(2)), 1_800), now))
                .isTrue();
        assertThat(former.mayHold(Slice.at(now.minus(Duration.ofDays(3)), 1_800), now))
                .isFalse();
    }

    @Test
    void turning_to_and_fro_is_remembered_once_a_width_and_a_limited_number_of_times() {
        WidthHistory history = WidthHistory.of(MeasurementWindow.DEFAULT);
        for (int i = 0; i < 20; i++) {
            history = history.changedTo(i % 2 == 0 ? 120 : 1_800, CHANGED.plusSeconds(130L * i));
        }
        assertThat(history.former()).hasSize(2);
        for (int i = 0; i < 100; i++) {
            history = history.changedTo(
                    i % 2 == 0 ? 120 : 1_800, CHANGED.plusSeconds(3_000).plusMillis(i));
        }
        assertThat(history.former()).hasSize(32);
    }

    @ParameterizedTest
    @CsvSource({"10, 599", "60, 3599", "1800, 107999", "14400, 604800"})
    void the_longest_window_of_a_width_is_just_below_the_next_width(int width, long seconds) {
        assertThat(MeasurementWindow.longestOf(width)).hasSeconds(seconds);
        assertThat(MeasurementWindow.ofSeconds(seconds).sliceWidth()).isEqualTo(width);
    }
}
