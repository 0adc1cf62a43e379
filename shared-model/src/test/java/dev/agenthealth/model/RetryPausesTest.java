package dev.agenthealth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the next attempt is due, and after how many attempts none is. */
class RetryPausesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @CsvSource({"1, 0, 10", "2, 0, 30", "1, 9, 10", "1, 11, 11", "2, 60, 60", "2, 61, 60", "1, 3600, 60"})
    void a_longer_pause_that_the_receiver_asks_for_is_followed_up_to_the_limit(int failed, long asked, long pause) {
        assertThat(RetryPauses.of(MINUTE, Duration.ofSeconds(10), Duration.ofSeconds(30))
                        .after(failed, Duration.ofSeconds(asked)))
                .contains(Duration.ofSeconds(pause));
    }

    @Test
    void no_attempt_follows_the_last_pause_unless_there_is_one_for_all_later_attempts() {
        assertThat(RetryPauses.of(MINUTE, Duration.ofSeconds(10)).after(2, MINUTE))
                .isEmpty();
        RetryPauses endless = new RetryPauses(List.of(Duration.ofSeconds(10)), Optional.of(MINUTE), MINUTE);
        assertThat(endless.after(2, Duration.ZERO)).contains(MINUTE);
        assertThat(endless.after(1_000, Duration.ofDays(1))).contains(MINUTE);
    }
}
