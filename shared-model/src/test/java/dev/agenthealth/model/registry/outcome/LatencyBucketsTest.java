package dev.agenthealth.model.registry.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("AHS-08")
class LatencyBucketsTest {

    @Test
    void thirty_days_take_210_buckets() {
        assertThat(LatencyBuckets.COUNT).isEqualTo(210);
        assertThat(LatencyBuckets.of(Outcome.MAX_LATENCY_MS)).isEqualTo(209);
    }

    /** What is stored is counted by these numbers: they must never change. */
    @ParameterizedTest(name = "{0} ms are counted in bucket {1}, which stands for {2} ms")
    @CsvSource({
        "0,            0,          0",
        "0.4999,       0,          0",
        "0.5,          1,          1",
        "1,            1,          1",
        "9,            9,          9",
        "9.5,         10,         10",
        "10,          10,         10",
        "19,          19,         19",
        "19.4999,     19,         19",
        // 20 and 21: from 19.5 to 21.5
        "19.5,        20,  20.451219",
        "20,          20,  20.451219",
        "21.4999,     20,  20.451219",
        "21.5,        21,  22.455556",
        // 98 to 107: from 97.5 to 107.5
        "97.5,        38, 102.256098",
        "100,         38, 102.256098",
        "107.4999,    38, 102.256098",
        "107.5,       39, 112.732301"
    })
    void a_latency_is_counted_in_the_bucket_of_its_whole_milliseconds(double latencyMs, int bucket, double value) {
        assertThat(LatencyBuckets.of(latencyMs)).isEqualTo(bucket);
        assertThat(LatencyBuckets.value(bucket)).isEqualTo(value, within(0.000_001));
    }

    @Test
    void buckets_follow_each_other_without_a_gap_and_no_value_in_them_is_further_than_promised() {
        double from = 0;
        int bucket = 0;
        for (; bucket < LatencyBuckets.COUNT - 1; bucket++) {
            double value = LatencyBuckets.value(bucket);
            assertThat(LatencyBuckets.of(from)).isEqualTo(bucket);
            assertThat(LatencyBuckets.of(value)).isEqualTo(bucket);
            double to = end(bucket);
            assertThat(LatencyBuckets.of(Math.nextDown(to))).isEqualTo(bucket);
            assertThat(LatencyBuckets.of(to)).isEqualTo(bucket + 1);
            assertThat(value - from).isLessThanOrEqualTo(allowed(from));
            assertThat(to - value).isLessThanOrEqualTo(allowed(to));
            from = to;
        }
        assertThat(LatencyBuckets.of(from)).isEqualTo(bucket);
        assertThat(from).isLessThanOrEqualTo(Outcome.MAX_LATENCY_MS);
        assertThat(Outcome.MAX_LATENCY_MS - LatencyBuckets.value(bucket))
                .isLessThanOrEqualTo(allowed(Outcome.MAX_LATENCY_MS));
    }

    /** Half way between two whole milliseconds, of which the first is the last one in the bucket. */
    private static double end(int bucket) {
        long inside = Math.round(LatencyBuckets.value(bucket));
        long outside = (long) Outcome.MAX_LATENCY_MS;
        while (outside - inside > 1) {
            long middle = (inside + outside) / 2;
            if (LatencyBuckets.of(middle) == bucket) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside + 0.5;
    }

    /** 5 % from 10 ms on, half a millisecond below; the last digits are not counted. */
    private static double allowed(double latencyMs) {
        return (latencyMs < 10 ? 0.5 : latencyMs * LatencyBuckets.ERROR_PERCENT / 100) * (1 + 1e-9);
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                -Double.MIN_VALUE,
                -1,
                2_592_000_000.000_001,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.MAX_VALUE
            })
    void what_is_no_latency_is_in_no_bucket(double latencyMs) {
        assertThatIllegalArgumentException().isThrownBy(() -> LatencyBuckets.of(latencyMs));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 210, Integer.MAX_VALUE})
    void other_buckets_there_are_none(int bucket) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> LatencyBuckets.value(bucket));
    }
}
