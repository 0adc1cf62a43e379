package dev.agenthealth.local.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The check of the endurance run sees what grows, and nothing else. */
class GrowthTest {

    private static final int SAMPLES = 90;

    @Test
    void what_grows_slowly_is_seen() {
        assertThat(growing(i -> 1_000 + 8 * i, Map.of())).hasSize(1);
        assertThat(growing(i -> i / 4, Map.of())).hasSize(1);
        assertThat(growing(i -> 1_000 + 8 * i, Map.of("it", 1_500L))).hasSize(1);
    }

    @Test
    void what_is_level_filled_or_below_its_bound_is_not_seen() {
        assertThat(growing(i -> 1_000 + i % 7 * 50, Map.of())).isEmpty();
        assertThat(growing(i -> Math.min(i, 30) * 100, Map.of())).isEmpty();
        assertThat(growing(i -> 2_000 - 10 * i, Map.of())).isEmpty();
        assertThat(growing(i -> 1_000 + 8 * i, Map.of("it", 1_720L))).isEmpty();
    }

    private static List<String> growing(LongUnaryOperator size, Map<String, Long> bounds) {
        return Growth.of(
                LongStream.range(0, SAMPLES)
                        .mapToObj(i -> Map.of("it", size.applyAsLong(i)))
                        .toList(),
                bounds);
    }
}
