package dev.agenthealth.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.benchmarks.load.Measure.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables of two systems. */
class ResultsTest {

    private static final Measure RATE = new Measure("rate", "/s", true, true, (system, fleet, settings) -> value(0));

    private static Sample value(double value) {
        return new Sample(value, 0, 0);
    }

    private static String lastCell(int rounds, double factor) {
        Results results = new Results(List.of("here", "peer"));
        for (int round = 1; round <= rounds; round++) {
            results.add(RATE, "here", value(round * factor));
            results.add(RATE, "peer", value(round));
        }
        String[] cells = results.table().strip().split("\\|");
        return cells[cells.length - 1].strip();
    }

    @Test
    void few_rounds_have_a_ratio_and_no_judgement() {
        assertThat(lastCell(3, 8)).isEqualTo("8.00");
        assertThat(lastCell(5, 1)).isEqualTo("1.00");
    }

    @Test
    void from_six_rounds_on_a_ratio_says_whether_it_is_noise() {
        assertThat(lastCell(6, 8)).isEqualTo("8.00, p = 0.031");
        assertThat(lastCell(6, 1)).isEqualTo("1.00, within noise");
    }
}
