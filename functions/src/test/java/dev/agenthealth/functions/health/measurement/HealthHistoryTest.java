package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.health.HistoryPoint;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.health.score.ScoreState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hourly history of an agent's health. */
@Tag("AHM-01")
class HealthHistoryTest {

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @Test
    @Tag("exhaustive")
    void every_hour_with_outcomes_has_one_point() {
        TestAgent agent = harness.agent("plotted", "");
        harness.measure();
        harness.report(agent, 20, 0, 10);
        Instant begun = harness.now();
        for (int i = 0; i < 6 * 60; i++) {
            harness.measureAfter(Duration.ofMinutes(1));
            agent.sendHeartbeat();
        }
        List<HistoryPoint> points = history(agent, begun, harness.now());
        assertThat(points).hasSize(7);
        assertThat(points.stream()
                        .map(p -> p.at().truncatedTo(ChronoUnit.HOURS))
                        .distinct())
                .hasSize(7);
        assertThat(points).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
        assertThat(points).as("no point for the hour before the first outcomes").allSatisfy(point -> {
            assertThat(point.state()).isEqualTo(ScoreState.HEALTHY);
            assertThat(point.score()).hasValueSatisfying(s -> assertThat(s).isEqualByComparingTo("100"));
            assertThat(point.measured().samples()).isEqualTo(20);
            assertThat(point.measured().responseRatio()).isEqualTo(1);
        });
    }

    /** The window is of ten minutes and measured every five, from the minute {@code first} of an hour on. */
    @ParameterizedTest(name = "measured from minute {0} on, with outcomes at {1}: {2}")
    @CsvSource({
        "10, 10, Healthy Inactive, 25",
        "10, 10 30, Healthy Inactive Healthy Inactive, 45",
        "10, 10 30 50, Healthy Inactive Healthy Inactive Healthy Healthy Inactive, 65",
        "0, 10, Healthy Inactive, 25",
        // The next hour has begun before the window is empty.
        "50, 50, Healthy Healthy Inactive, 65",
        // The next hour begins with an empty window.
        "45, 45, Healthy Inactive, 60"
    })
    void the_history_ends_with_one_inactive_point_after_the_last_outcomes(
            int first, String reportedAt, String states, int ended) {
        TestAgent agent = harness.agent("silent", ",\"expectations\":{\"window_seconds\":600}");
        List<String> reports = List.of(reportedAt.split(" "));
        Instant hour = harness.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        for (int minute = first; minute < 200; minute += 5) {
            Instant moment = hour.plusSeconds(60L * minute + 5);
            harness.system().clock().advance(Duration.between(harness.now(), moment));
            if (reports.contains(String.valueOf(minute))) {
                harness.report(agent, 20, 0, 10);
            }
            harness.measure();
        }
        List<HistoryPoint> points = history(agent, hour, harness.now());
        assertThat(points.stream().map(point -> point.state().wireName()).collect(Collectors.joining(" ")))
                .isEqualTo(states);
        assertThat(points.get(points.size() - 1).at()).isEqualTo(hour.plusSeconds(60L * ended + 5));
    }

    @Test
    void a_change_within_an_hour_is_a_point_however_often_it_is_computed() {
        TestAgent agent = harness.agent("changing", "");
        Instant hour = harness.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        harness.system().clock().advance(Duration.between(harness.now(), hour));
        agent.sendHeartbeat();
        harness.measure();
        harness.report(agent, 20, 0, 10);
        harness.passMinutes(2, agent);
        harness.report(agent, 0, 10, 10);
        harness.passMinutes(2, agent);
        harness.report(agent, 470, 0, 10);
        harness.passMinutes(2, agent);
        assertThat(history(agent, hour, harness.now()).stream()
                        .map(point -> point.status() + " " + point.measured().samples()))
                .containsExactly("HEALTHY 20", "DEGRADED 30", "HEALTHY 500");
    }

    @Test
    void an_agent_that_only_sends_heartbeats_has_points_at_its_transitions() {
        TestAgent agent = harness.agent("quiet", "");
        Instant begun = harness.now();
        harness.measure();
        harness.passMinutes(3, agent);
        agent.deregister();
        // The next sweep would do so.
        new DueStore(harness.system().database()).markDue(agent.id());
        harness.measureAfter(Duration.ofMinutes(1));
        agent.register("");
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(history(agent, begun, harness.now()).stream()
                        .map(point -> point.lifecycle() + " " + point.status() + " " + point.state()))
                .containsExactly("DEREGISTERED UNKNOWN INACTIVE", "ACTIVE UNKNOWN INACTIVE");
    }

    @Test
    void the_last_point_of_a_healthy_agent_that_deregisters_keeps_its_health_and_says_that_it_is_gone() {
        TestAgent agent = harness.agent("leaver", "");
        Instant begun = harness.now();
        harness.report(agent, 20, 0, 10);
        harness.measure();
        agent.deregister();
        // The next sweep would do so.
        new DueStore(harness.system().database()).markDue(agent.id());
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(history(agent, begun, harness.now()).stream().map(point -> point.lifecycle() + " " + point.status()))
                .containsExactly("ACTIVE HEALTHY", "DEREGISTERED HEALTHY");
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
        return new HealthStore(harness.system().database()).history(agent.id(), from, to);
    }
}
