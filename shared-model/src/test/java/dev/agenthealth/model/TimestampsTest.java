package dev.agenthealth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimestampsTest {

    @Test
    void a_timestamp_always_has_three_digits_of_milliseconds() {
        assertThat(Timestamps.text(Instant.parse("2026-11-01T10:00:00Z"))).isEqualTo("2026-11-01T10:00:00.000Z");
        assertThat(Timestamps.text(Instant.parse("2026-11-01T10:00:00.120Z"))).isEqualTo("2026-11-01T10:00:00.120Z");
        assertThat(Timestamps.text(Instant.parse("2026-11-01T10:00:00.120999Z")))
                .isEqualTo("2026-11-01T10:00:00.120Z");
    }

    @Test
    void texts_sort_as_their_moments() {
        String whole = Timestamps.text(Instant.parse("2026-11-01T10:00:00Z"));
        String later = Timestamps.text(Instant.parse("2026-11-01T10:00:00.001Z"));

        assertThat(whole).isLessThan(later);
    }
}
