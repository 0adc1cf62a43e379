package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.sweep.SelfCheckResult.Verdict;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class SelfCheckResultTest {

    @ParameterizedTest(name = "{0} arrived, {1} lost, {2} throttled")
    @CsvSource({
        "0, 0, 0, false, INCONCLUSIVE",
        "1, 0, 0, false, INCONCLUSIVE",
        "2, 0, 0, true,  PASSED",
        "1, 1, 0, false, INCONCLUSIVE",
        "2, 1, 0, true,  PASSED",
        "1, 2, 0, true,  FAILED",
        "0, 2, 0, true,  FAILED",
        "0, 1, 3, false, INCONCLUSIVE",
        "0, 1, 4, true,  INCONCLUSIVE",
        "1, 1, 3, true,  INCONCLUSIVE",
        "0, 0, 5, true,  INCONCLUSIVE"
    })
    void two_of_a_kind_decide_and_five_are_enough(
            int arrived, int lost, int throttled, boolean decided, Verdict verdict) {
        SelfCheckResult result = new SelfCheckResult(arrived, lost, throttled);
        assertThat(result.isDecided()).isEqualTo(decided);
        assertThat(result.verdict()).isEqualTo(verdict);
        assertThat(result.sent()).isEqualTo(arrived + lost + throttled);
    }

    @Test
    void the_worst_address_counts() {
        SelfCheckResult passed = new SelfCheckResult(2, 0, 0);
        SelfCheckResult inconclusive = new SelfCheckResult(0, 0, 5);
        SelfCheckResult failed = new SelfCheckResult(0, 2, 0);
        assertThat(SelfCheckResult.verdict(List.of(passed))).isEqualTo(Verdict.PASSED);
        assertThat(SelfCheckResult.verdict(List.of(passed, inconclusive))).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(SelfCheckResult.verdict(List.of(failed, inconclusive, passed)))
                .isEqualTo(Verdict.FAILED);
    }

    @Test
    void results_add_up() {
        assertThat(new SelfCheckResult(7, 11, 13).plus(new SelfCheckResult(1, 2, 3)))
                .isEqualTo(new SelfCheckResult(8, 13, 16));
    }

    @ParameterizedTest
    @CsvSource({"59.999, false", "60, true", "60.001, true"})
    void results_are_inconclusive_for_too_long_after_a_minute(double seconds, boolean tooLong) {
        Instant since = Instant.parse("2026-02-08T10:00:00Z");
        assertThat(SelfCheckResult.isTooLong(since, since.plusMillis((long) (seconds * 1_000))))
                .isEqualTo(tooLong);
    }
}
