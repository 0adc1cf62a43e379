package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("AHS-01")
class RegistryHealthTest {

    private static final Instant COMPUTED = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant STARTED = COMPUTED.minusSeconds(3_600);

    @Test
    void no_agent_can_have_its_id() {
        assertThat(Ids.isValid(RegistryHealth.ID)).isFalse();
    }

    @Test
    void the_computed_health_is_valid_for_five_minutes() {
        AgentHealth health = health(COMPUTED);
        HealthReading last = RegistryHealth.reading(Optional.of(health), COMPUTED.plus(Duration.ofMinutes(5)));
        assertThat(last.health()).isEqualTo(health);
        assertThat(last.status()).isEqualTo(HealthStatus.HEALTHY);
        assertThat(last.lastHealthyAt()).contains(last.at());
    }

    @Test
    void later_it_is_unknown_without_figures_but_with_the_last_healthy_time() {
        HealthReading stale = RegistryHealth.reading(
                Optional.of(health(COMPUTED)),
                COMPUTED.plus(Duration.ofMinutes(5)).plusMillis(1));
        assertThat(stale.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(stale.health().measurement().sampleCount()).isZero();
        assertThat(stale.health().measurement().expectations().window().length())
                .isEqualTo(Duration.ofHours(1));
        assertThat(stale.computedAt()).contains(COMPUTED);
        assertThat(stale.lastHealthyAt()).contains(COMPUTED);
        assertThat(stale.uptimeSeconds()).isEqualTo(3_900);
        assertThat(stale.lastCapabilityUpdate()).contains(STARTED);
    }

    @Test
    void before_the_first_computation_the_status_is_unknown() {
        HealthReading reading = RegistryHealth.reading(Optional.empty(), COMPUTED);
        assertThat(reading.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(reading.computedAt()).isEmpty();
        assertThat(reading.lastHealthyAt()).isEmpty();
        assertThat(reading.lastCapabilityUpdate()).isEmpty();
        assertThat(reading.daysSinceModelChange()).isEmpty();
        assertThat(reading.uptimeSeconds()).isZero();
    }

    private static AgentHealth health(Instant computedAt) {
        OutcomeCounts counts = OutcomeCounts.of(Map.of(OutcomeCounter.SELF_SUCCESSES, 60L), LatencyHistogram.EMPTY);
        return HealthRule.computed(
                RegistryHealth.ID,
                new HealthSubject("", false, false, STARTED, Restarts.NONE, Instant.MIN, STARTED),
                new Measurement(new Expectations(Map.of(Expectation.WINDOW_SECONDS, 3_600d)), counts, 1, 2, 0, 0, 1),
                new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, Instant.MIN),
                Optional.empty(),
                computedAt);
    }
}
