package dev.agenthealth.model.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrittenTimesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "silent since 2026-02-08T14:02:59.123Z. | UTC | silent since 8 Feb 2026, 14:02 UTC.",
                "silent since 2026-02-08T23:30:00Z. | Europe/Berlin | silent since 9 Feb 2026, 00:30 Europe/Berlin.",
                "run at 2026-07-08T01:00:00.000Z[Asia/Tokyo]. | Europe/Berlin | run at 8 Jul 2026, 10:00 Asia/Tokyo.",
                "run at 2026-07-08T01:00:00.000Z[Mars/Olympus]. | UTC | run at 8 Jul 2026, 01:00 UTC.",
                "run at 2026-17-08T01:00:00.000Z. | UTC | run at 2026-17-08T01:00:00.000Z.",
                "from 2026-02-08T01:00:00Z to 2026-02-08T02:00:00Z | UTC | from 8 Feb 2026, 01:00 UTC to 8 Feb 2026, 02:00 UTC",
                "$1 at noon | UTC | $1 at noon"
            })
    void messages_show_the_times_of_a_sentence_in_the_time_zone_of_their_rule(
            String sentence, String zone, String shown) {
        assertThat(WrittenTimes.shown(sentence, ZoneId.of(zone))).isEqualTo(shown);
    }

    @Test
    void a_time_of_another_zone_names_the_zone() {
        Instant at = Instant.parse("2026-02-08T01:00:00Z");
        assertThat(WrittenTimes.text(at, "Europe/Berlin")).isEqualTo("2026-02-08T01:00:00.000Z[Europe/Berlin]");
        assertThat(WrittenTimes.text(at, "UTC")).isEqualTo("2026-02-08T01:00:00.000Z");
        assertThat(WrittenTimes.text(at, "Mars/Olympus")).isEqualTo("2026-02-08T01:00:00.000Z");
        assertThat(WrittenTimes.text(at, "")).isEqualTo("2026-02-08T01:00:00.000Z");
    }
}
