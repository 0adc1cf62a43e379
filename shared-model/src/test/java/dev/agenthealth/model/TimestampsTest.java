package dev.agenthealth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

    @Test
    void every_moment_has_the_text_of_the_formatter_of_java() {
        DateTimeFormatter formatter =
                new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
        Random random = new Random(7);
        List<Instant> moments = new ArrayList<>(List.of(
                Instant.EPOCH,
                Instant.MIN,
                Instant.MAX,
                Instant.parse("0000-01-01T00:00:00Z"),
                Instant.parse("-0001-12-31T23:59:59.999Z"),
                Instant.parse("2024-02-29T23:59:59.999999999Z"),
                Instant.parse("9999-12-31T23:59:59.999999999Z"),
                Instant.parse("+10000-01-01T00:00:00Z")));
        for (int i = 0; i < 1_000; i++) {
            moments.add(Instant.ofEpochSecond(random.nextLong(-70_000_000_000L, 300_000_000_000L), random.nextInt()));
        }

        assertThat(moments)
                .allSatisfy(moment -> assertThat(Timestamps.text(moment)).isEqualTo(formatter.format(moment)));
    }
}
