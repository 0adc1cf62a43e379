package dev.agenthealth.model.health;

import static dev.agenthealth.model.health.Healths.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
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

    @ParameterizedTest(name = "{0} then {1}")
    @CsvSource({
        "HEALTHY,   HEALTHY,   NONE",
        "HEALTHY,   DEGRADED,  FALL",
        "HEALTHY,   UNHEALTHY, FALL",
        "DEGRADED,  UNHEALTHY, FALL",
        "DEGRADED,  HEALTHY,   RETURN",
        "UNHEALTHY, DEGRADED,  RETURN",
        "INACTIVE,  HEALTHY,   OTHER",
        "INACTIVE,  UNHEALTHY, FALL",
        "HEALTHY,   INACTIVE,  OTHER",
        "UNHEALTHY, INACTIVE,  OTHER"
    })
    @Tag("AHM-08")
    void a_score_state_falls_or_returns_against_the_published_one(
            ScoreState published, ScoreState current, Published.Change change) {
        AgentHealth health = with(current).withPublished(published, T0);
        assertThat(health.score().state()).isEqualTo(current);
        assertThat(health.scoreChange()).isEqualTo(change);
    }

    @Test
    void a_status_changes_against_the_published_one() {
        AgentHealth health = Healths.health(Healths.measured(100, 0), LifecycleStatus.ACTIVE);
        assertThat(health.statusChange()).isEqualTo(Published.Change.OTHER);
        AgentHealth published = health.withPublished(HealthStatus.DEGRADED, T0);
        assertThat(published.publishedStatus().value()).isEqualTo(HealthStatus.DEGRADED);
        assertThat(published.publishedStatus().at()).isEqualTo(T0);
        assertThat(published.lastKnownPublished()).isEqualTo(HealthStatus.DEGRADED);
        assertThat(published.statusChange()).isEqualTo(Published.Change.RETURN);
        AgentHealth unknown = published.withPublished(HealthStatus.UNKNOWN, T0);
        assertThat(unknown.publishedStatus().value()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(unknown.lastKnownPublished()).isEqualTo(HealthStatus.DEGRADED);
    }

    @ParameterizedTest
    @CsvSource({
        "HEALTHY,   HEALTHY,   false",
        "UNKNOWN,   INACTIVE,  false",
        "DEGRADED,  HEALTHY,   true",
        "UNHEALTHY, HEALTHY,   true",
        "HEALTHY,   DEGRADED,  true",
        "HEALTHY,   UNHEALTHY, true"
    })
    void what_was_published_last_may_be_bad(HealthStatus status, ScoreState score, boolean bad) {
        AgentHealth health = Healths.health(Healths.measured(0, 0), LifecycleStatus.ACTIVE)
                .withPublished(status, T0)
                .withPublished(score, T0);
        assertThat(health.isPublishedAsBad()).isEqualTo(bad);
    }

    @Test
    void health_differs_by_status_lifecycle_or_state_of_the_score() {
        AgentHealth health = Healths.health(Healths.measured(100, 0), LifecycleStatus.ACTIVE);
        assertThat(health.differsFrom(Healths.health(Healths.measured(99, 0), LifecycleStatus.ACTIVE)))
                .isFalse();
        assertThat(health.differsFrom(Healths.health(Healths.measured(100, 0), LifecycleStatus.DRAINING)))
                .isTrue();
        assertThat(health.differsFrom(Healths.health(Healths.measured(100, 0), LifecycleStatus.DEAD)))
                .isTrue();
        assertThat(health.differsFrom(Healths.health(Healths.measured(50, 50), LifecycleStatus.ACTIVE)))
                .isTrue();
    }

    @Test
    void of_an_agent_that_ended_dates_stay_and_numbers_go() {
        AgentHealth health = Healths.health(Healths.measured(100, 3), LifecycleStatus.ACTIVE);
        AgentHealth ended = health.ended();
        assertThat(ended.measurement().sampleCount()).isZero();
        assertThat(ended.lastHealthyAt()).isEqualTo(health.lastHealthyAt());
        assertThat(ended.measurement().observedHours())
                .isEqualTo(health.measurement().observedHours());
        HealthSubject other = health.subject().started(T0);
        assertThat(health.about(other).subject()).isEqualTo(other);
        assertThat(health.about(other).measurement()).isEqualTo(health.measurement());
    }

    /** Health of an agent with this state of its score. */
    private static AgentHealth with(ScoreState state) {
        Measurement measurement =
                switch (state) {
                    case HEALTHY -> Healths.measured(100, 0);
                    case DEGRADED -> Healths.measured(10, 90);
                    case UNHEALTHY -> Healths.measured(1, 99, 100, 100);
                    case INACTIVE -> Healths.measured(0, 0);
                };
        return Healths.health(measurement, LifecycleStatus.ACTIVE);
    }
}
