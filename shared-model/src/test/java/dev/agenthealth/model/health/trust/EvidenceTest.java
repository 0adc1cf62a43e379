package dev.agenthealth.model.health.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SN-02")
class EvidenceTest {

    /** The first day of an era, where one outcome weighs exactly one. */
    private static final Instant FIRST_DAY = Instant.EPOCH.plus(Duration.ofDays(57 * 360));

    @ParameterizedTest(name = "{0} successes and {1} failures: {2}")
    @CsvSource({
        "0,       0,       0.5",
        "1,       0,       0.5455",
        "0,       1,       0.3333",
        "5,       1,       0.5",
        "10,      0,       0.75",
        "90,      0,       0.95",
        "90,      2,       0.8636",
        "990,     0,       0.995",
        "1000,    1000,    0.1672",
        "0,       10,      0.0833",
        "0,       1000000, 0",
        "1000000, 0,       1"
    })
    void reputation_weighs_a_failure_like_five_successes(double good, double bad, String reputation) {
        assertThat(new Evidence(good, bad).reputation().toPlainString()).isEqualTo(reputation);
    }

    @Test
    void worth_below_nothing_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Evidence(-1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Evidence(0, Double.NaN));
    }

    @ParameterizedTest(name = "on day {0}: {1}")
    @CsvSource({"0, 1000000", "1, 1023374", "30, 2000000", "60, 4000000", "330, 2048000000", "359, 4002447231"})
    void weights_double_every_30_days_of_an_era(int day, String weight) {
        Instant at = FIRST_DAY.plus(Duration.ofDays(day));
        assertThat(EvidenceSums.of(true, at).good()).containsOnlyKeys(57L).containsValue(new BigInteger(weight));
    }

    @Test
    void each_era_begins_anew() {
        assertThat(EvidenceSums.of(true, FIRST_DAY.minusSeconds(1)).good()).containsOnlyKeys(56L);
        assertThat(EvidenceSums.of(true, FIRST_DAY.plus(Duration.ofDays(360))).good())
                .containsEntry(58L, BigInteger.valueOf(1_000_000));
    }

    @Test
    void all_evidence_of_a_day_is_worth_the_same_until_midnight() {
        EvidenceSums morning = EvidenceSums.of(true, FIRST_DAY);
        assertThat(morning.at(FIRST_DAY.plus(Duration.ofHours(24)).minusMillis(1))
                        .good())
                .isEqualTo(1);
        assertThat(morning.at(FIRST_DAY.plus(Duration.ofHours(24))).good()).isLessThan(1);
    }

    @Test
    void what_a_clock_that_is_ahead_dates_tomorrow_counts_today() {
        Instant lastSecond = FIRST_DAY.minusSeconds(1);
        assertThat(EvidenceSums.of(true, FIRST_DAY.plusSeconds(200))
                        .at(lastSecond)
                        .good())
                .isBetween(1.0, 1.03);
    }

    @Test
    void years_of_a_busy_provider_do_not_overflow() {
        BigInteger outcomes = BigInteger.valueOf(2_000L * 86_400 * 360);
        BigInteger heaviest =
                EvidenceSums.of(true, FIRST_DAY.minusSeconds(1)).good().get(56L);
        EvidenceSums sums = new EvidenceSums(Map.of(56L, outcomes.multiply(heaviest)), Map.of());
        assertThat(sums.plus(sums).at(FIRST_DAY).reputation()).isEqualTo("1");
    }

    @Test
    void a_record_of_no_call_is_none() {
        EvidenceSums good = EvidenceSums.of(true, FIRST_DAY);
        EvidenceSums bad = EvidenceSums.of(false, FIRST_DAY);
        assertThat(EvidenceSums.NONE.isNone()).isTrue();
        assertThat(good.isNone()).isFalse();
        assertThat(bad.isNone()).isFalse();
        assertThat(TrackRecord.NONE.isNone()).isTrue();
        assertThat(record(1, 0, EvidenceSums.NONE).isNone()).isFalse();
        assertThat(record(0, 1, EvidenceSums.NONE).isNone()).isFalse();
        assertThat(record(1, 1, EvidenceSums.NONE).isNone()).isFalse();
        assertThat(record(0, 0, bad).isNone()).isFalse();
    }

    private static TrackRecord record(long successes, long failures, EvidenceSums evidence) {
        return new TrackRecord(successes, failures, evidence, FIRST_DAY, List.of(), Optional.empty());
    }
}
