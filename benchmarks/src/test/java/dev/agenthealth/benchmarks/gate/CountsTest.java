package dev.agenthealth.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.benchmarks.gate.Counts.Change;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which counts of a revision are more than before. */
class CountsTest {

    @Test
    void one_more_unit_is_more_and_one_less_is_not() {
        assertThat(Counts.changes(Map.of("heartbeat units", 1.0), Map.of("heartbeat units", 2.0)))
                .containsExactly(new Change("heartbeat units", 1, 2, true));
        assertThat(Counts.changes(Map.of("heartbeat units", 2.0), Map.of("heartbeat units", 1.0)))
                .containsExactly(new Change("heartbeat units", 2, 1, false));
    }

    @Test
    void bytes_of_texts_may_vary_a_little_and_packages_by_a_hundredth() {
        Map<String, Double> before = Map.of("list response_bytes", 1_000.0, "heartbeat.jar", 10_000_000.0);
        assertThat(Counts.changes(before, Map.of("list response_bytes", 1_060.0, "heartbeat.jar", 10_050_000.0)))
                .hasSize(2)
                .noneMatch(Change::grew);
        assertThat(Counts.changes(before, Map.of("list response_bytes", 1_061.0, "heartbeat.jar", 10_200_000.0)))
                .hasSize(2)
                .allMatch(Change::grew);
    }

    @Test
    void equal_counts_and_new_operations_are_no_changes() {
        assertThat(Counts.changes(Map.of("a units", 1.0), Map.of("a units", 1.0, "b units", 5.0)))
                .isEqualTo(List.of());
    }
}
