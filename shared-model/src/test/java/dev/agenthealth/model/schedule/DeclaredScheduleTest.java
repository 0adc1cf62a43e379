package dev.agenthealth.model.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredScheduleTest {

    @ParameterizedTest
    @CsvSource({
        "@hourly, 0 * * * *",
        "@daily, 0 0 * * *",
        "@midnight, 0 0 * * *",
        "@weekly, 0 0 * * 0",
        "@monthly, 0 0 1 * *",
        "@yearly, 0 0 1 1 *",
        "@annually, 0 0 1 1 *",
        "@Daily, 0 0 * * *",
        "' @daily ', 0 0 * * *",
        "0 9 ? * MON, 0 9 * * MON",
        "0 9 1 * ?, 0 9 1 * *",
        "?/15 * * * *, */15 * * * *",
        "'0\t2\t*\t*\t*', 0 2 * * *",
        "'  0  2 \t * *  * ', 0 2 * * *",
    })
    void a_nickname_a_question_mark_and_tabs_become_five_fields(String text, String cron) {
        DeclaredSchedule read = DeclaredSchedule.of(text);
        assertThat(read.cron()).isEqualTo(cron);
        assertThat(read.timeZone()).isEmpty();
        assertThat(read.isInterval()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "CRON_TZ=Europe/Berlin 0 2 * * *, Europe/Berlin, 0 2 * * *",
        "TZ=Asia/Tokyo @daily, Asia/Tokyo, 0 0 * * *",
        "'\tCRON_TZ=US/Pacific\t0 2 * * *', US/Pacific, 0 2 * * *",
        "TZ=EST 0 2 ? * *, America/Panama, 0 2 * * *",
        "CRON_TZ=America/Argentina/ComodRivadavia 0 2 * * *, America/Argentina/ComodRivadavia, 0 2 * * *",
    })
    void a_time_zone_may_stand_before_the_fields(String text, ZoneId zone, String cron) {
        DeclaredSchedule read = DeclaredSchedule.of(text);
        assertThat(read.timeZone()).contains(zone);
        assertThat(read.cron()).isEqualTo(cron);
    }

    @ParameterizedTest
    @CsvSource({
        "@every 1h30m, 5400",
        "@every 90s, 90",
        "@every 1.5h, 5400",
        "@every 1h0m1s, 3601",
        "@every 1500ms, 1",
        "'@every\t2m', 120",
        "@Every 1H, 3600",
        "TZ=Asia/Tokyo @every 24h, 86400",
        "@every 8784h, 31622400",
    })
    void every_is_an_interval_in_whole_seconds(String text, long seconds) {
        DeclaredSchedule read = DeclaredSchedule.of(text);
        assertThat(read.isInterval()).isTrue();
        assertThat(read.every()).hasSeconds(seconds);
        assertThat(read.cron()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@reboot | must name times, and @reboot names none",
                "CRON_TZ=UTC @Reboot | must name times, and @reboot names none",
                "@fortnightly | or @every with a duration",
                "@ | or @every with a duration",
                "@every | must have one duration after @every",
                "@every day | must have one duration after @every",
                "@every 90 | must have one duration after @every",
                "@every -1h | must have one duration after @every",
                "@every 1h 30m | must have one duration after @every",
                "@everyday | must have one duration after @every",
                "@every 0s | must have a duration of a second to 366 days",
                "@every 999ms | must have a duration of a second to 366 days",
                "@every 8784h1s | must have a duration of a second to 366 days",
                "@every 999999999h999999999h | must have a duration of a second to 366 days",
                "TZ=Middle/Earth 0 2 * * * | unlike 'Middle/Earth'",
                "TZ= 0 2 * * * | unlike ''",
                "TZ=Local 0 2 * * * | unlike 'Local'",
                "TZ=UTC | must be a cron expression with five fields",
                "0 2 1? * * | must be a cron expression with five fields",
            })
    void anything_else_is_refused_with_the_reason(String text, String reason) {
        assertThatThrownBy(() -> DeclaredSchedule.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {129, 100_000})
    void a_text_of_any_length_is_refused_quickly(int length) {
        assertThatThrownBy(() -> DeclaredSchedule.of("*".repeat(length)))
                .hasMessage("must have at most 128 characters");
    }

    @ParameterizedTest
    @CsvSource({
        "EST, America/Panama",
        "MST, America/Phoenix",
        "HST, Pacific/Honolulu",
        "ROC, Asia/Taipei",
        "US/Pacific, US/Pacific",
        "EST5EDT, EST5EDT",
        "GB, GB",
        "Zulu, Zulu",
        "Asia/Calcutta, Asia/Calcutta",
        "UTC, UTC",
    })
    void every_name_of_iana_is_a_time_zone(String name, ZoneId zone) {
        assertThat(TimeZones.find(name)).contains(zone);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PST", "CST", "Local", "+02:00", "europe/berlin", "../../etc/passwd"})
    void no_other_name_is_a_time_zone(String name) {
        assertThat(TimeZones.find(name)).isEmpty();
    }
}
