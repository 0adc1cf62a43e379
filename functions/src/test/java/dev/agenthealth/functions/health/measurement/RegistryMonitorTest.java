package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.RegistryHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The registry's own health depends on whether its sweep is on time. */
@Tag("AHS-01")
@Tag("AHS-07")
class RegistryMonitorTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));

    @Test
    void the_registry_is_healthy_after_ten_sweeps() {
        sweepFor(9);
        assertThat(health().status()).isEqualTo(HealthStatus.UNKNOWN);
        sweepFor(1);
        assertThat(health().status()).isEqualTo(HealthStatus.HEALTHY);
        assertThat(health().measurement().sampleCount()).isEqualTo(10);
        assertThat(health().measurement().responseRatio()).isEqualTo(1);
        assertThat(Duration.between(
                        health().subject().startedAt(), system.clock().instant()))
                .isEqualTo(Duration.ofMinutes(9));
    }

    @Test
    void minutes_without_a_sweep_count_as_failures() {
        sweepFor(20);
        for (int i = 0; i < 4; i++) {
            system.clock().advanceSeconds(60);
            measurement.handleRequest(Map.of(), null);
        }
        assertThat(health().measurement().counts().failures())
                .as("in two of them the last sweep was not yet late")
                .isEqualTo(2);
        assertThat(health().status()).isEqualTo(HealthStatus.DEGRADED);
    }

    @Test
    void a_late_sweep_or_a_blackout_makes_the_registry_degraded_regardless_of_its_figures() {
        sweepFor(40);
        Instant lastWell = system.clock().instant();
        system.clock().advanceSeconds(121);
        measurement.handleRequest(Map.of(), null);
        assertDegradedDespiteGoodFigures();
        assertThat(health().lastHealthyAt()).isEqualTo(lastWell);
        sweepFor(1);
        assertThat(health().status()).isEqualTo(HealthStatus.HEALTHY);
        system.clock().advanceSeconds(60);
        Instant now = system.clock().instant();
        assertThat(new SweepStateStore(system.database()).beginBlackout(now, at -> RegistryEvents.blackout(5, 0, at)))
                .isTrue();
        measurement.handleRequest(Map.of(), null);
        assertDegradedDespiteGoodFigures();
    }

    @Test
    void before_the_first_sweep_there_are_no_samples() {
        measurement.handleRequest(Map.of(), null);
        sweepFor(1);
        assertThat(health().measurement().sampleCount()).isEqualTo(1);
        assertThat(health().measurement().responseRatio()).isEqualTo(1);
    }

    @Test
    void two_measurements_in_a_minute_are_one_sample() {
        sweepFor(1);
        system.clock().advanceSeconds(10);
        measurement.handleRequest(Map.of(), null);
        assertThat(health().measurement().sampleCount()).isEqualTo(1);
    }

    private void sweepFor(int minutes) {
        for (int i = 0; i < minutes; i++) {
            system.clock().advanceSeconds(60);
            new SweepStateStore(system.database())
                    .begin(system.clock().instant(), Duration.ofSeconds(120), SweepStateStore.Learnt.NOTHING);
            measurement.handleRequest(Map.of(), null);
        }
    }

    private void assertDegradedDespiteGoodFigures() {
        assertThat(health().measurement().responseRatio()).isGreaterThan(0.95);
        assertThat(health().status()).isEqualTo(HealthStatus.DEGRADED);
    }

    private AgentHealth health() {
        return new HealthStore(system.database())
                .find(RegistryHealth.ID, true)
                .orElseThrow()
                .health()
                .orElseThrow();
    }
}
