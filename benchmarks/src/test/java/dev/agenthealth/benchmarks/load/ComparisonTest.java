package dev.agenthealth.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Differences between two revisions, and noise. */
class ComparisonTest {

    private static final List<Double> SECOND = List.of(100.0, 90.0, 200.0, 150.0, 95.0, 300.0);

    @Test
    void a_factor_that_all_pairs_share_is_a_difference_however_much_the_machine_varies() {
        Comparison comparison =
                Comparison.of(SECOND.stream().map(value -> value * 1.1).toList(), SECOND);
        assertThat(comparison.ratio()).isCloseTo(1.1, within(1e-9));
        // One of 64 ways to choose signs has all of them positive, one all negative.
        assertThat(comparison.p()).isCloseTo(2.0 / 64, within(1e-9));
        assertThat(comparison.differs()).isTrue();
    }

    @Test
    void the_sign_of_the_ratio_tells_nothing_where_pairs_disagree() {
        Comparison comparison = Comparison.of(List.of(110.0, 80.0, 210.0, 140.0, 96.0, 290.0), SECOND);
        assertThat(comparison.p()).isGreaterThan(0.3);
        assertThat(comparison.differs()).isFalse();
    }

    @Test
    void a_tiny_difference_is_none_however_certain() {
        Comparison comparison =
                Comparison.of(SECOND.stream().map(value -> value * 1.01).toList(), SECOND);
        assertThat(comparison.p()).isLessThan(0.05);
        assertThat(comparison.differs()).isFalse();
    }

    @Test
    void too_few_pairs_never_show_a_difference() {
        assertThat(Comparison.of(List.of(10.0, 10.0, 10.0), List.of(1.0, 1.0, 1.0))
                        .differs())
                .isFalse();
    }

    @Test
    void equal_pairs_do_not_differ() {
        assertThat(Comparison.of(SECOND, SECOND)).isEqualTo(new Comparison(1, 1));
    }

    @Test
    void two_runs_of_the_same_revision_differ_about_as_rarely_as_the_level_says() {
        Random random = new Random(17);
        int runs = 400;
        long different = IntStream.range(0, runs)
                .filter(run -> Comparison.of(noise(random, 8), noise(random, 8)).differs())
                .count();
        assertThat(different / (double) runs).isBetween(0.0, 0.08);
    }

    @Test
    void values_that_are_no_pairs_are_refused() {
        assertThatThrownBy(() -> Comparison.of(SECOND, List.of(1.0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Comparison.of(List.of(0.0), List.of(1.0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Double> noise(Random random, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> 100 * Math.exp(0.2 * random.nextGaussian()))
                .toList();
    }
}
