package dev.agenthealth.model.health.statistics;

import static dev.agenthealth.model.health.HealthSummary.INACTIVE;
import static dev.agenthealth.model.health.statistics.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.workflow.PoolCapacity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statistics of a group of agents. */
class AgentStatisticsTest {

    private final FleetStatistics.Tally tally = new FleetStatistics.Tally(Rows.NO_BLOCKS);

    @Test
    @Tag("AHM-08")
    void inactive_agents_are_left_out_of_the_mean_score() {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, 10_000));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNHEALTHY, 5_000));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, INACTIVE));
        AgentStatistics statistics = tally.statistics().fleet();
        assertThat(statistics.meanScore()).contains(new BigDecimal("75.00"));
        assertThat(statistics.agents()).isEqualTo(3);
        assertThat(statistics.inactive()).isEqualTo(1);
    }

    @Test
    @Tag("AHM-08")
    void a_score_of_0_is_a_score() {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNHEALTHY, 0));
        assertThat(tally.statistics().fleet().meanScore()).contains(new BigDecimal("0.00"));
        assertThat(tally.statistics().fleet().inactive()).isZero();
    }

    @Test
    @Tag("AHM-08")
    void a_system_of_inactive_agents_has_no_score_and_neither_has_an_empty_one() {
        assertThat(AgentStatistics.NONE.meanScore()).isEmpty();
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, INACTIVE));
        assertThat(tally.statistics().fleet().meanScore()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10000, 9999, 99.99, 100.00", "8500, 8501, 85.00, 85.01", "1, 0, 0.00, 0.01", "3, 4, 0.03, 0.04"})
    @Tag("AHM-08")
    void the_mean_is_rounded_half_up_to_two_decimals(int one, int two, String least, String rounded) {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, one));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, two));
        assertThat(tally.statistics().fleet().meanScore().orElseThrow())
                .isEqualTo(new BigDecimal(rounded))
                .isGreaterThanOrEqualTo(new BigDecimal(least));
    }

    @ParameterizedTest
    @CsvSource({"8500, HEALTHY", "8499, DEGRADED", "6500, DEGRADED", "6499, UNHEALTHY", "0, UNHEALTHY", "-1, INACTIVE"})
    @Tag("AHM-08")
    void agents_are_counted_by_score_state(int hundredths, ScoreState state) {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, hundredths));
        for (ScoreState each : ScoreState.values()) {
            assertThat(tally.statistics().fleet().get(Statistic.of(each))).isEqualTo(each == state ? 1 : 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "499, 0", "500, 1", "6499, 12", "6500, 13", "8499, 16", "8500, 17", "9999, 19", "10000, 19"})
    void agents_are_counted_by_score_in_steps_of_5_points(int hundredths, int step) {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, hundredths));
        tally.add(row(LifecycleStatus.DEAD, HealthStatus.HEALTHY, hundredths));
        tally.add(row(LifecycleStatus.DEREGISTERED, HealthStatus.HEALTHY, hundredths));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, INACTIVE));
        assertThat(tally.statistics().fleet().scoreSteps())
                .isEqualTo(IntStream.range(0, 20)
                        .mapToObj(i -> i == step ? 2L : 0L)
                        .toList());
    }

    @Test
    @Tag("R16-24")
    void the_statistics_of_a_role_have_the_capacity_of_its_pool_by_lifecycle_status() {
        tally.add(row(LifecycleStatus.ACTIVE, 1, 3, 5));
        tally.add(row(LifecycleStatus.ACTIVE, 1, Workload.NOT_REPORTED, 2));
        tally.add(row(LifecycleStatus.ACTIVE, 1, 4, Workload.NOT_DECLARED));
        tally.add(row(LifecycleStatus.DEREGISTERED, 1, 0, 9));
        tally.add(row(LifecycleStatus.ACTIVE, 2, 1, 1));
        FleetStatistics statistics = tally.statistics();
        assertThat(statistics.of(GroupKind.ROLE).of(1).pool())
                .hasValue(Map.of(
                        LifecycleStatus.ACTIVE, new PoolCapacity(3, 7, 3),
                        LifecycleStatus.DRAINING, PoolCapacity.EMPTY,
                        LifecycleStatus.UNHEALTHY, PoolCapacity.EMPTY,
                        LifecycleStatus.DEAD, PoolCapacity.EMPTY,
                        LifecycleStatus.DEREGISTERED, new PoolCapacity(1, 9, 0)));
        assertThat(statistics.of(GroupKind.ROLE).of(3).pool()).as("no agents").isEmpty();
    }

    @Test
    @Tag("AHM-08")
    void a_dead_agent_counts_for_the_score_while_its_window_has_executions() {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, 9_000));
        tally.add(row(LifecycleStatus.DEAD, HealthStatus.HEALTHY, 10_000));
        tally.add(row(LifecycleStatus.DEAD, HealthStatus.UNKNOWN, INACTIVE));
        AgentStatistics statistics = tally.statistics().fleet();
        assertThat(statistics.agents()).isEqualTo(3);
        assertThat(statistics.dead()).isEqualTo(2);
        assertThat(statistics.inactive()).isZero();
        assertThat(statistics.meanScore()).contains(new BigDecimal("95.00"));
        assertThat(statistics.get(Statistic.SCORE_HEALTHY)).isEqualTo(2);
        assertThat(statistics.get(Statistic.SCORE_INACTIVE)).isZero();
        assertThat(statistics.get(Statistic.HEALTH_UNHEALTHY)).isZero();
        assertThat(statistics.get(Statistic.VERDICT_DOWN)).isEqualTo(2);
        assertThat(statistics.survivalRate()).contains(new BigDecimal("0.3333"));
        assertThat(statistics.healthyRate()).contains(new BigDecimal("0.3333"));
    }

    @Test
    @Tag("AHS-18")
    void agents_that_are_not_down_survive_and_deregistered_ones_do_not_count() {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, 9_000));
        tally.add(row(LifecycleStatus.DRAINING, HealthStatus.HEALTHY, 9_000));
        tally.add(row(LifecycleStatus.UNHEALTHY, HealthStatus.HEALTHY, 9_000));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, INACTIVE));
        tally.add(row(LifecycleStatus.DEAD, HealthStatus.HEALTHY, 9_000));
        tally.add(row(LifecycleStatus.DEREGISTERED, HealthStatus.HEALTHY, 9_000));
        AgentStatistics statistics = tally.statistics().fleet();
        assertThat(statistics.agents()).isEqualTo(5);
        assertThat(statistics.healthy()).isEqualTo(2);
        assertThat(statistics.down()).isEqualTo(1);
        assertThat(statistics.survivalRate()).contains(new BigDecimal("0.8000"));
        assertThat(statistics.healthyRate())
                .as("of the four whose health is known")
                .contains(new BigDecimal("0.5000"));
        assertThat(statistics.get(Statistic.HEALTH_DEGRADED)).isEqualTo(1);
        assertThat(statistics.get(Statistic.HEALTH_UNHEALTHY)).isZero();
        assertThat(statistics.get(Statistic.HEALTH_UNKNOWN)).isEqualTo(1);
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                assertThat(statistics.get(Statistic.of(status)))
                        .as(status.wireName())
                        .isEqualTo(1 + (status == LifecycleStatus.ACTIVE ? 1 : 0));
            }
        }
    }

    @Test
    @Tag("AHS-18")
    void the_survival_rate_has_four_decimals_and_is_absent_without_agents() {
        assertThat(AgentStatistics.NONE.survivalRate()).isEmpty();
        assertThat(AgentStatistics.NONE.healthyRate()).isEmpty();
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, 9_000));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.DEGRADED, 9_000));
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNHEALTHY, 3_000));
        assertThat(tally.statistics().fleet().survivalRate()).contains(new BigDecimal("0.6667"));
    }

    @Test
    @Tag("AHS-18")
    void a_living_fleet_without_reports_survives_and_its_healthy_rate_is_unknown() {
        tally.add(row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, INACTIVE));
        AgentStatistics statistics = tally.statistics().fleet();
        assertThat(statistics.survivalRate()).contains(new BigDecimal("1.0000"));
        assertThat(statistics.healthyRate()).isEmpty();
    }

    @Test
    void no_row_says_registering() {
        assertThatIllegalArgumentException().isThrownBy(() -> Statistic.of(LifecycleStatus.REGISTERING));
    }
}
