package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The health summary in an agent's row. */
@Tag("AHM-08")
class HealthSummaryTest {

    @ParameterizedTest
    @CsvSource({
        "HEALTHY,   ACTIVE,       HEALTHY",
        "HEALTHY,   DRAINING,     HEALTHY",
        "HEALTHY,   UNHEALTHY,    DEGRADED",
        "HEALTHY,   DEAD,         UNHEALTHY",
        "HEALTHY,   DEREGISTERED, HEALTHY",
        "DEGRADED,  ACTIVE,       DEGRADED",
        "DEGRADED,  UNHEALTHY,    DEGRADED",
        "DEGRADED,  DEAD,         UNHEALTHY",
        "UNHEALTHY, ACTIVE,       UNHEALTHY",
        "UNHEALTHY, UNHEALTHY,    UNHEALTHY",
        "UNKNOWN,   ACTIVE,       UNKNOWN",
        "UNKNOWN,   UNHEALTHY,    UNKNOWN",
        "UNKNOWN,   DEAD,         UNHEALTHY",
    })
    @Tag("AHS-02")
    void the_lifecycle_status_lowers_the_health_status_and_never_lifts_it(
            HealthStatus measured, LifecycleStatus lifecycle, HealthStatus status) {
        assertThat(new HealthSummary(measured, 9_000, 0, 0, Instant.EPOCH).status(lifecycle))
                .isEqualTo(status);
    }

    @Test
    void an_agent_without_executions_has_no_score() {
        assertThat(HealthSummary.NONE.isInactive()).isTrue();
        assertThat(new HealthSummary(HealthStatus.UNKNOWN, 0, 0, 0, Instant.EPOCH).isInactive())
                .isFalse();
    }

    @Test
    void an_agent_may_move_to_another_provider_or_platform_and_keeps_what_was_measured() {
        HealthSummary moved = new HealthSummary(HealthStatus.DEGRADED, 7_000, 1, 2, Instant.EPOCH).in("acme", "");
        assertThat(moved)
                .isEqualTo(new HealthSummary(
                        HealthStatus.DEGRADED, 7_000, GroupNumber.of("acme"), GroupNumber.NONE, Instant.EPOCH));
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 10_001})
    void there_is_no_score_outside_of_0_to_100(int hundredths) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HealthSummary(HealthStatus.HEALTHY, hundredths, 0, 0, Instant.EPOCH))
                .withMessageContaining(Integer.toString(hundredths));
    }
}
