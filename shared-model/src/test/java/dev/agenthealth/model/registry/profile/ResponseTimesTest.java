package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long answers took in the last day. */
class ResponseTimesTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @Test
    void the_last_day_has_mean_minimum_and_maximum_of_its_answers() {
        ResponseTimes times = ResponseTimes.NONE
                .with(NOW, 95)
                .with(NOW.plusSeconds(300), 340)
                .with(NOW.plus(Duration.ofHours(5)), 101);
        ResponseTimes.Range range = times.lastDay(NOW.plus(Duration.ofHours(5))).orElseThrow();
        assertThat(range).isEqualTo(new ResponseTimes.Range(3, 536, 95, 340));
        assertThat(range.mean()).isEqualTo(179);
    }

    @Test
    void an_hour_leaves_after_a_day() {
        ResponseTimes times = ResponseTimes.NONE.with(NOW.plusSeconds(3_599), 7);
        assertThat(times.lastDay(NOW.plus(Duration.ofHours(24)).minusMillis(1))).isPresent();
        assertThat(times.lastDay(NOW.plus(Duration.ofHours(24)))).isEmpty();
        assertThat(times.with(NOW.plus(Duration.ofHours(24)), 9).byHour()).hasSize(1);
    }

    @Test
    void no_more_than_a_day_is_kept() {
        ResponseTimes times = ResponseTimes.NONE;
        for (int hour = 0; hour < 100; hour++) {
            times = times.with(NOW.plus(Duration.ofHours(hour)), hour);
        }
        assertThat(times.byHour()).hasSize(ResponseTimes.HOURS);
        assertThat(times.lastDay(NOW.plus(Duration.ofHours(99))).orElseThrow().min())
                .isEqualTo(76);
        assertThat(ResponseTimes.NONE.lastDay(NOW)).isEmpty();
    }
}
