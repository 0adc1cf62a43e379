package dev.agenthealth.model.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {

    private static final int FIRST_RUN = 3;

    /** The file says how it was written, in a script beside it. */
    @Test
    @Tag("slow")
    void a_thousand_random_schedules_have_the_runs_that_cronsim_computes() throws IOException {
        List<String> lines;
        try (InputStream file = CronExpressionTest.class.getResourceAsStream("/schedules/cronsim.tsv")) {
            lines = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        assertThat(lines).hasSize(1_000);
        SoftAssertions all = new SoftAssertions();
        for (String line : lines) {
            String[] columns = line.split("\t");
            CronExpression expression = new CronExpression(columns[0], ZoneId.of(columns[1]));
            List<String> runs = new ArrayList<>();
            Instant run = Instant.ofEpochSecond(Long.parseLong(columns[2]));
            for (int i = FIRST_RUN; i < columns.length; i++) {
                run = expression.nextAfter(run);
                runs.add(String.valueOf(run.getEpochSecond()));
            }
            all.assertThat(runs)
                    .as("%s in %s after %s", columns[0], columns[1], columns[2])
                    .isEqualTo(List.of(columns).subList(FIRST_RUN, columns.length));
        }
        all.assertAll();
    }

    @ParameterizedTest(name = "{0} after {1}: {2}")
    @CsvSource({
        // Berlin skips 02:00 to 03:00 on 29 March 2026, at 01:00Z: the run of 02:30 comes right after it, once.
        "30 2 * * *,   2026-03-28T02:00:00Z, 2026-03-29T01:00:00Z",
        "30 2 * * *,   2026-03-29T00:59:59Z, 2026-03-29T01:00:00Z",
        "30 2 * * *,   2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
        "0 3 * * *,    2026-03-28T03:00:00Z, 2026-03-29T01:00:00Z",
        "*/30 * * * *, 2026-03-29T00:30:00Z, 2026-03-29T01:00:00Z",
        "30 * * * *,   2026-03-29T00:30:00Z, 2026-03-29T01:30:00Z",
        // 02:00 to 03:00 comes twice on 25 October 2026, up to 01:00Z and from 01:00Z: a run at 02:30 comes once, in
        // the first hour.
        "30 2 * * *,   2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z",
        "30 2 * * *,   2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
        "30 2 * * *,   2026-10-25T01:10:00Z, 2026-10-26T01:30:00Z",
        "'30 2,3 * * *', 2026-10-25T00:30:00Z, 2026-10-25T02:30:00Z",
        "*/30 * * * *, 2026-10-25T00:30:00Z, 2026-10-25T01:00:00Z",
        "30 * * * *,   2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z",
    })
    void where_clocks_change_the_rules_are_those_of_cron_in_debian(String cron, Instant after, Instant next) {
        assertThat(new CronExpression(cron, ZoneId.of("Europe/Berlin")).nextAfter(after))
                .isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 29 2 *,         2096-03-01T00:00:00Z, 2104-02-29T00:00:00Z",
        "0 9 * * MON-FRI,    2026-11-27T09:00:00Z, 2026-11-30T09:00:00Z",
        "0 0 * * 7,          2026-11-25T00:00:00Z, 2026-11-29T00:00:00Z",
        "0 22 * * 5-7,       2026-11-28T22:00:00Z, 2026-11-29T22:00:00Z",
        "'0 0 1 JAN,JUL *',  2026-11-25T00:00:00Z, 2027-01-01T00:00:00Z",
        "0 0 13 * 5,         2026-12-11T00:00:00Z, 2026-12-13T00:00:00Z",
        "59 23 31 12 *,      2026-12-31T23:58:59.999Z, 2026-12-31T23:59:00Z",
        "5/20 * * * *,       2026-11-25T00:05:00Z, 2026-11-25T00:25:00Z",
        "5/1 * * * *,        2026-11-25T00:05:00Z, 2026-11-25T01:05:00Z",
        "0 0 * * 5/2,        2026-11-28T00:00:00Z, 2026-11-29T00:00:00Z",
        "0 0 * * sun,        2026-11-25T00:00:00Z, 2026-11-29T00:00:00Z"
    })
    void fields_mean_what_they_mean_in_crontab(String cron, Instant after, Instant next) {
        assertThat(new CronExpression(cron, ZoneId.of("UTC")).nextAfter(after)).isEqualTo(next);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 30 2 *",
                "0 0 31 4,6,9,11 *",
                "* * * *",
                "* * * * * *",
                "61 * * * *",
                "0 24 * * *",
                "10-5 * * * *",
                "0 0 1|2 * *",
                "0 0 a|2|JAN* 4 d|di",
                "0 0 1 * *||0 0 2 * *",
                "0 8-18/ * * *",
                "0 8- * * *",
                "0 -8 * * *",
                "/ * * * *",
                "0 8,,9 * * *",
                ", * * * *",
                "every day",
                "0 0 L * *",
                "0 0 * * 5#2",
                "0 0 ? * *",
                "@daily",
                "*/0 * * * *",
                "0 0 0 * *",
                "0 0 * * 8",
                "a"
            })
    void an_impossible_expression_is_refused_with_the_reason(String cron) {
        assertThatThrownBy(() -> new CronExpression(cron, ZoneId.of("UTC")))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isNotBlank();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * *           | Cron expression contains 4 parts but we expect one of [5]",
                "61 * * * *        | Failed to parse cron expression. Value 61 not in range [0, 59]",
                "0 0 1 0-3 *       | Failed to parse cron expression. Value 0 not in range [1, 12]",
                "10-5 * * * *      | Failed to parse cron expression. Invalid range! [10,5]",
                "0 0 * * SUN-MON   | Failed to parse cron expression. Invalid range! [7,1]",
                "*/0 * * * *       | Failed to parse cron expression. Period 0 not in range [0, 59]",
                "0 1-9/24 * * *    | Failed to parse cron expression. Period 24 not in range [0, 23]",
                "0 0 * * 1-5/7     | Failed to parse cron expression. Period 0 not in range [0, 7]",
                "*/x * * * *       | Failed to parse cron expression. For input string: \"X\"",
                "0 0 15w * *       | Failed to parse cron expression. Invalid chars in expression! Expression: 15W Invalid chars: W",
                "0 0 * 5JAN *      | Failed to parse cron expression. Invalid chars in expression! Expression: 5JAN Invalid chars: ''",
                // All fields are read before a value is compared with its bounds.
                "61 * * * 8,MOON   | Failed to parse cron expression. Invalid chars in expression! Expression: MOON Invalid chars: MOON",
                "61 * * * 8        | Failed to parse cron expression. Value 61 not in range [0, 59]"
            })
    void the_reason_names_the_value(String cron, String reason) {
        String detail = reason.endsWith("''") ? reason.substring(0, reason.length() - 2) : reason;
        assertThatThrownBy(() -> new CronExpression(cron, ZoneId.of("UTC")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a cron expression with five fields: " + detail);
    }
}
