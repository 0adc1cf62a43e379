package dev.agenthealth.model.registry.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.DDSketches;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** Quantiles from buckets against exact ones, and against those of a sketch that others rely on. */
@Tag("AHS-08")
class LatencyHistogramPropertyTest {

    private static final int[] QUANTILES = {1, 5, 25, 50, 75, 90, 95, 98, 99, 100};

    /** The error of both, and the last digits of a double. */
    private static final double ERROR = LatencyBuckets.ERROR_PERCENT / 100d * (1 + 1e-9);

    @Provide
    Arbitrary<double[]> latencies() {
        return SkewedLatencies.ascending();
    }

    @Property
    void quantiles_are_at_most_5_percent_off_or_half_a_millisecond_below_10_ms(
            @ForAll("latencies") double[] latencies) {
        LatencyHistogram histogram = SkewedLatencies.histogram(latencies);
        assertThat(histogram.total()).isEqualTo(latencies.length);
        for (int percent : QUANTILES) {
            double exact = latencies[SkewedLatencies.rank(latencies.length, percent) - 1];
            double error = Math.abs(histogram.quantile(percent) - exact);
            assertThat(error)
                    .as("%s %% of %s latencies: %s", percent, latencies.length, exact)
                    .isLessThanOrEqualTo(exact < 10 ? 0.5 : ERROR * exact);
        }
    }

    @Property
    void whole_milliseconds_below_20_are_exact_and_all_others_at_most_5_percent_off(
            @ForAll("latencies") double[] latencies, @ForAll @IntRange(min = 1, max = 100) int percent) {
        double[] whole = Arrays.stream(latencies).map(Math::rint).toArray();
        double exact = whole[SkewedLatencies.rank(whole.length, percent) - 1];
        double estimated = SkewedLatencies.histogram(whole).quantile(percent);
        if (exact < 20) {
            assertThat(estimated).isEqualTo(exact);
        } else {
            assertThat(Math.abs(estimated - exact)).isLessThanOrEqualTo(ERROR * exact);
        }
    }

    @Property
    void quantiles_rise_with_the_percentage(@ForAll("latencies") double[] latencies) {
        LatencyHistogram histogram = SkewedLatencies.histogram(latencies);
        for (int percent = 2; percent <= 100; percent++) {
            assertThat(histogram.quantile(percent)).isGreaterThanOrEqualTo(histogram.quantile(percent - 1));
        }
    }

    /** Both are at most 5 % from the same latency, so neither is further than that from the other twice. */
    @Property
    void quantiles_agree_with_those_of_a_ddsketch(@ForAll("latencies") double[] latencies) {
        LatencyHistogram histogram = SkewedLatencies.histogram(latencies);
        DDSketch sketch = DDSketches.unboundedDense(LatencyBuckets.ERROR_PERCENT / 100d);
        Arrays.stream(latencies).forEach(sketch::accept);
        for (int percent : QUANTILES) {
            int rank = SkewedLatencies.rank(latencies.length, percent);
            double exact = latencies[rank - 1];
            double theirs = sketch.getValueAtQuantile(share(rank, latencies.length));
            assertThat(Math.abs(theirs - exact)).isLessThanOrEqualTo(ERROR * exact);
            assertThat(Math.abs(histogram.quantile(percent) - theirs))
                    .isLessThanOrEqualTo(ERROR * exact + (exact < 10 ? 0.5 : ERROR * exact));
        }
    }

    /** The share that makes the sketch look at the latency of a rank: it takes the first of which the rank from 0 is above the share. */
    private static double share(int rank, int size) {
        return size == 1 ? 0 : Math.min(1, (rank - 0.5) / (size - 1));
    }

    @Property
    void parts_add_up_to_the_whole_in_any_order(
            @ForAll("latencies") double[] first,
            @ForAll("latencies") double[] second,
            @ForAll("latencies") double[] third) {
        LatencyHistogram a = SkewedLatencies.histogram(first);
        LatencyHistogram b = SkewedLatencies.histogram(second);
        LatencyHistogram c = SkewedLatencies.histogram(third);
        double[] all = new double[first.length + second.length + third.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        System.arraycopy(third, 0, all, first.length + second.length, third.length);
        assertThat(a.plus(b).plus(c))
                .isEqualTo(SkewedLatencies.histogram(all))
                .isEqualTo(a.plus(b.plus(c)))
                .isEqualTo(c.plus(a).plus(b))
                .hasSameHashCodeAs(b.plus(c).plus(a));
        assertThat(a.plus(LatencyHistogram.EMPTY)).isEqualTo(a).isEqualTo(LatencyHistogram.EMPTY.plus(a));
    }

    @Property
    void what_was_stored_is_what_was_counted(@ForAll("latencies") double[] latencies) {
        LatencyHistogram histogram = SkewedLatencies.histogram(latencies);
        assertThat(LatencyHistogram.of(histogram.counts())).isEqualTo(histogram);
    }
}
