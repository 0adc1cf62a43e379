package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the end of a certificate is published. */
class CertificateWarningTest {

    private static final Instant END = Instant.parse("2026-03-01T10:00:00Z");

    @ParameterizedTest
    @CsvSource({
        // Seconds before the end, published before, published then.
        "1814401, 0, 0",
        "1814400, 0, 21",
        "604801, 0, 21",
        "604801, 21, 21",
        "604800, 21, 7",
        "604800, 0, 7",
        "86401, 7, 7",
        "86400, 7, 1",
        "86400, 0, 1",
        "0, 1, 1",
        "-5, 7, 1",
    })
    void a_certificate_is_published_at_each_of_its_days_once(long secondsBefore, int before, int then) {
        CertificateWarning warning = before == 0 ? CertificateWarning.NONE : new CertificateWarning(END, before);
        assertThat(warning.then(END, END.minusSeconds(secondsBefore)))
                .isEqualTo(then == 0 ? CertificateWarning.NONE : new CertificateWarning(END, then));
    }

    @ParameterizedTest
    @CsvSource({
        // Days of the last event, days by which the other certificate ends later, days before its end, days of the next
        // event.
        "1, 90, 90, 1",
        "1, 90, 22, 1",
        "1, 90, 21, 21",
        "21, 1, 20, 21",
        "7, 90, 1, 1",
        "21, -3, 18, 21",
        "21, -3, 7, 7",
        "7, -3, 18, 7",
        "7, -3, 5, 7",
        "7, -3, 1, 1",
    })
    void a_later_certificate_is_published_anew_and_an_earlier_one_only_where_that_is_more_urgent(
            int days, int later, int left, int then) {
        Instant other = END.plus(Duration.ofDays(later));
        CertificateWarning before = new CertificateWarning(END, days);
        CertificateWarning after = before.then(other, other.minus(Duration.ofDays(left)));
        assertThat(after.days()).isEqualTo(then);
        boolean published = left <= 21 && (later > 0 || then < days);
        assertThat(after.equals(before)).isEqualTo(!published);
        assertThat(after.endsAt()).isEqualTo(published && later > 0 ? other : END);
    }

    @Test
    void only_the_last_day_is_urgent() {
        assertThat(CertificateWarning.DAYS.stream().filter(days -> new CertificateWarning(END, days).isUrgent()))
                .containsExactly(1);
    }
}
