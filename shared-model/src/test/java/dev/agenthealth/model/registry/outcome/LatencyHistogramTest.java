package dev.agenthealth.model.registry.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("AHS-08")
class LatencyHistogramTest {

    @Test
    void nothing_has_no_quantiles_but_zero() {
        assertThat(LatencyHistogram.EMPTY.quantile(50)).isZero();
        assertThat(LatencyHistogram.EMPTY.quantile(99)).isZero();
        assertThat(LatencyHistogram.EMPTY.total()).isZero();
        assertThat(LatencyHistogram.of(Map.of(7, 0L))).isEqualTo(LatencyHistogram.EMPTY);
    }

    @ParameterizedTest(name = "of {0} ones and {1} twos the {2} % quantile is {3}")
    @CsvSource({
        "1,   0,   1, 1",
        "1,   0, 100, 1",
        "1,   1,  50, 1",
        "1,   1,  51, 2",
        "99,  1,  99, 1",
        "98,  2,  99, 2",
        "98,  2,  98, 1",
        // 10 latencies: the rank of 99 % is 10, the largest
        "9,   1,  99, 2",
        "9,   1,  90, 1",
        "9,   1,  91, 2",
        "990, 10, 99, 1",
        "989, 11, 99, 2",
        "0,   5,   1, 2"
    })
    void a_quantile_is_that_of_the_nearest_rank(long ones, long twos, int percent, double expected) {
        assertThat(LatencyHistogram.of(Map.of(1, ones, 2, twos)).quantile(percent))
                .isEqualTo(expected);
    }

    @Test
    void a_latency_of_the_limit_is_not_above_it() {
        LatencyHistogram histogram = LatencyHistogram.of(Map.of(1, 3L, 2, 4L, 3, 5L));
        assertThat(histogram.above(2)).isEqualTo(5);
        assertThat(histogram.above(1.9)).isEqualTo(9);
    }

    @Test
    void huge_counts_do_not_overflow() {
        LatencyHistogram huge = LatencyHistogram.of(Map.of(1, Long.MAX_VALUE / 2, 2, Long.MAX_VALUE / 2));
        assertThat(huge.quantile(50)).isEqualTo(1);
        assertThat(huge.quantile(51)).isEqualTo(2);
        assertThat(huge.quantile(100)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 101})
    void there_are_quantiles_from_1_to_100_percent(int percent) {
        assertThatIllegalArgumentException().isThrownBy(() -> LatencyHistogram.EMPTY.quantile(percent));
    }

    @ParameterizedTest(name = "{1} latencies in bucket {0}")
    @CsvSource({"-1, 1", "210, 1", "5, -1"})
    void what_cannot_have_been_counted_is_refused(int bucket, long count) {
        assertThatIllegalArgumentException().isThrownBy(() -> LatencyHistogram.of(Map.of(bucket, count)));
    }

    @Test
    void it_does_not_change_with_what_it_was_made_of_or_what_it_gives_away() {
        Map<Integer, Long> counts = new HashMap<>(Map.of(3, 1L));
        LatencyHistogram histogram = LatencyHistogram.of(counts);
        counts.put(3, 9L);
        assertThat(histogram.total()).isEqualTo(1);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> histogram.counts().put(3, 9L));
        histogram.plus(histogram);
        assertThat(histogram.counts()).containsExactly(Map.entry(3, 1L));
        assertThat(histogram).hasToString("LatencyHistogram{3=1}");
    }
}
