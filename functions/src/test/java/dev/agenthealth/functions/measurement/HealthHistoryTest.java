package dev.agenthealth.functions.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.HistoryPoint;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.score.ScoreState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How an agent's health moved, hour by hour. */
@Tag("AHM-01")
class HealthHistoryTest {

    private final MeasurementHarness harness = new MeasurementHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void while_outcomes_count_every_hour_has_one_point() {
        TestAgent agent = harness.agent("plotted", "");
        harness.measure();
        harness.report(agent, 20, 0, 10);
        Instant begun = harness.now();
        for (int i = 0; i < 6 * 60; i++) {
            harness.measureAfter(Duration.ofMinutes(1));
            agent.beat();
        }
        List<HistoryPoint> points = history(agent, begun, harness.now());
        assertThat(points).hasSize(7);
        assertThat(points.stream()
                        .map(p -> p.at().truncatedTo(ChronoUnit.HOURS))
                        .distinct())
                .hasSize(7);
        assertThat(points).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
        assertThat(points.get(0).score())
                .as("the hour began before the outcomes came")
                .isEmpty();
        assertThat(points.get(0).state()).isEqualTo(ScoreState.INACTIVE);
        assertThat(points.subList(1, 7)).allSatisfy(point -> {
            assertThat(point.score()).hasValueSatisfying(s -> assertThat(s).isEqualByComparingTo("100"));
            assertThat(point.samples()).isEqualTo(20);
            assertThat(point.responseRatio()).isEqualTo(1);
        });
    }

    @Test
    void history_is_kept_for_thirty_days() {
        TestAgent agent = harness.agent("old", "");
        harness.report(agent, 20, 0, 10);
        Instant begun = harness.now();
        harness.measure();
        harness.system().clock().advance(Duration.ofDays(30).minusSeconds(1));
        assertThat(history(agent, begun, harness.now())).hasSize(1);
        harness.system().clock().advanceSeconds(1);
        assertThat(history(agent, begun, harness.now())).isEmpty();
    }

    private List<HistoryPoint> history(TestAgent agent, Instant from, Instant to) {
        return harness.system().stores().health().history(agent.id(), from, to);
    }
}
