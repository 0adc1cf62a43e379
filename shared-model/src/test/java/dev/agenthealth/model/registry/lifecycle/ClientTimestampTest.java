package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which agents send the time of their clocks (RFC-0016 §4.3). */
@Tag("R16-16")
class ClientTimestampTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-02-08T10:30:00Z                     | 2026-02-08T10:30:00Z",
                "2026-02-08T11:30:00+01:00                | 2026-02-08T10:30:00Z",
                "2026-02-08T05:00:00-05:30                | 2026-02-08T10:30:00Z",
                "2026-02-08T10:30Z                        | 2026-02-08T10:30:00Z",
                // Without a zone: UTC.
                "2026-02-08T10:30:00                      | 2026-02-08T10:30:00Z",
                "2026-02-08 10:30:00.25                   | 2026-02-08T10:30:00.250Z",
                "2026-02-08T10:30:00+0000                 | 2026-02-08T10:30:00Z",
                "2026-02-08T05:00:00-0530                 | 2026-02-08T10:30:00Z",
                "2026-02-08T11:30:00+01                   | 2026-02-08T10:30:00Z",
                "2026-02-08 10:30:00 +0000                | 2026-02-08T10:30:00Z",
                "2026-02-08t10:30:00z                     | 2026-02-08T10:30:00Z",
                // Basic form.
                "20260208T103000Z                         | 2026-02-08T10:30:00Z",
                "20260208T113000.5+0100                   | 2026-02-08T10:30:00.500Z",
                "20260208T1030                            | 2026-02-08T10:30:00Z",
                // Leap seconds and the end of a day.
                "2016-12-31T23:59:60Z                     | 2017-01-01T00:00:00Z",
                "2017-01-01T05:29:60.5+05:30              | 2017-01-01T00:00:00.500Z",
                "2026-02-08T24:00:00Z                     | 2026-02-09T00:00:00Z",
                // Many digits.
                "2026-02-08T10:30:00.5Z                   | 2026-02-08T10:30:00.500Z",
                "2026-02-08T10:30:00.123456789Z           | 2026-02-08T10:30:00.123Z",
                "2026-02-08T10:30:00.1234567890123456789Z | 2026-02-08T10:30:00.123Z",
                "2026-02-08T10:30:00,9Z                   | 2026-02-08T10:30:00.900Z",
                "+12026-02-08T10:30:00Z                   | +12026-02-08T10:30:00Z",
                "-0001-02-08T10:30:00Z                    | -0001-02-08T10:30:00Z",
            })
    void a_form_of_iso_8601_is_read(String text, String moment) {
        assertThat(ClientTimestamp.read(text)).contains(Instant.parse(moment));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "yesterday",
                "1770544800",
                "2026-02-08",
                "10:30:00Z",
                "2026-02-30T10:30:00Z",
                "2026-13-08T10:30:00Z",
                "2026-02-08T25:00:00Z",
                "2026-02-08T24:00:01Z",
                "2026-02-08T10:60:00Z",
                "2026-02-08T10:30:61Z",
                "2026-02-08T10:30:00.Z",
                "2026-02-08T10:30:00+19:00",
                "2026-02-08T10:30:00 CET",
                "26-02-08T10:30:00Z",
                "２０２６-02-08T10:30:00Z",
                "+9999999999-02-08T10:30:00Z",
                "Sun, 08 Feb 2026 10:30:00 GMT"
            })
    void any_other_text_is_not_read(String text) {
        assertThat(ClientTimestamp.read(text)).isEmpty();
    }

    @Test
    void the_outermost_years_are_read() {
        assertThat(ClientTimestamp.read("+999999999-12-31T23:59:59.999-18:00")).isPresent();
        assertThat(ClientTimestamp.read("-999999999-01-01T00:00:00+18:00")).isPresent();
        assertThat(ClientTimestamp.read("+999999999-12-31T24:00:00Z"))
                .as("the day after the last")
                .isEmpty();
    }

    @Test
    void a_long_text_is_read_in_one_pass() {
        String digits = "1".repeat(200_000);
        assertThat(ClientTimestamp.read("2026-02-08T10:30:00." + digits + "Z"))
                .contains(Instant.parse("2026-02-08T10:30:00.111Z"));
        assertThat(ClientTimestamp.read("2026-02-08T10:30:00." + digits + "?")).isEmpty();
    }
}
