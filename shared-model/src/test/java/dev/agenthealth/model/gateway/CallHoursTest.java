package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallHoursTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:59:59Z");

    @ParameterizedTest
    @CsvSource({
        "1, 2026-02-08T10:00:00Z, 1",
        "11, 2026-02-08T00:00:00Z, 1",
        "12, 2026-02-07T23:00:00Z, 2",
        "24, 2026-02-07T11:00:00Z, 2",
        "168, 2026-02-01T11:00:00Z, 8"
    })
    void a_window_ends_with_the_present_hour(int hours, Instant from, int days) {
        CallHours window = CallHours.last(hours, NOW);
        assertThat(window.from()).isEqualTo(from);
        assertThat(window.days()).hasSize(days);
        assertThat(window.days().stream()
                        .flatMapToInt(day ->
                                IntStream.range(0, CallHours.HOURS_OF_DAY).filter(hour -> window.contains(day, hour)))
                        .count())
                .isEqualTo(hours);
    }

    @Test
    void sums_are_kept_for_longer_than_the_longest_window() {
        CallHours longest = CallHours.last(CallHours.MAX_HOURS, NOW);
        Instant day = Instant.ofEpochSecond(longest.days().get(0) * 86_400);
        assertThat(day.plus(CallHours.RETENTION)).isAfter(NOW);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "3, 1, 0.3333", "3, 3, 1.0000"})
    void the_failure_rate_is_the_share_of_failed_calls(long calls, long failures, String rate) {
        assertThat(new CallSums(calls, failures).failureRate().toPlainString()).isEqualTo(rate);
        assertThat(CallSums.NONE.plus(new CallSums(calls, failures))).isEqualTo(new CallSums(calls, failures));
    }
}
