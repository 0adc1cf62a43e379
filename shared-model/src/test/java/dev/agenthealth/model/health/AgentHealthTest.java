package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.score.ScoreState;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentHealthTest {

    @ParameterizedTest(name = "computed while {0}, read while {1}: {2}, then {3}")
    @CsvSource({
        "ACTIVE,    ACTIVE,       HEALTHY,   HEALTHY",
        "ACTIVE,    DRAINING,     HEALTHY,   HEALTHY",
        "ACTIVE,    UNHEALTHY,    HEALTHY,   DEGRADED",
        "ACTIVE,    DEAD,         HEALTHY,   UNHEALTHY",
        "ACTIVE,    DEREGISTERED, HEALTHY,   HEALTHY",
        "UNHEALTHY, ACTIVE,       DEGRADED,  HEALTHY",
        "DEAD,      ACTIVE,       UNHEALTHY, HEALTHY"
    })
    @Tag("AHS-03")
    @Tag("AHS-04")
    @Tag("AHS-05")
    void the_status_follows_a_lifecycle_status_that_is_newer(
            LifecycleStatus computed, LifecycleStatus newer, HealthStatus status, HealthStatus statusThen) {
        AgentHealth health = Healths.health(Healths.measured(100, 0), computed);
        assertThat(health.status()).isEqualTo(status);
        assertThat(health.statusUnder(newer)).isEqualTo(statusThen);
    }

    @Test
    @Tag("AHS-06")
    @Tag("AHM-08")
    void a_live_agent_without_outcomes_is_unknown_and_inactive() {
        AgentHealth health = Healths.health(Healths.measured(0, 0), LifecycleStatus.ACTIVE);
        assertThat(health.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(health.score().state()).isEqualTo(ScoreState.INACTIVE);
    }

    @Test
    @Tag("AHM-01")
    void the_score_is_that_of_what_was_measured_whatever_the_lifecycle_status() {
        Measurement measurement = Healths.measured(952, 48);
        assertThat(Healths.health(measurement, LifecycleStatus.ACTIVE).score()).isEqualTo(measurement.score());
        assertThat(Healths.health(measurement, LifecycleStatus.DEAD).score().points())
                .isEqualTo("94.00");
    }

    @Test
    @Tag("AHS-07")
    void it_knows_whether_the_agent_was_ever_healthy() {
        Measurement measurement = Healths.measured(50, 50);
        assertThat(Healths.health(measurement, LifecycleStatus.ACTIVE).wasEverHealthy())
                .isTrue();
        assertThat(Healths.health(measurement, LifecycleStatus.ACTIVE, false, Instant.MIN)
                        .wasEverHealthy())
                .isFalse();
        assertThat(Healths.health(measurement, LifecycleStatus.ACTIVE, false, Instant.EPOCH)
                        .wasEverHealthy())
                .isTrue();
    }
}
