package dev.agenthealth.model.health;

import static dev.agenthealth.model.health.HealthStatus.DEGRADED;
import static dev.agenthealth.model.health.HealthStatus.HEALTHY;
import static dev.agenthealth.model.health.HealthStatus.UNHEALTHY;
import static dev.agenthealth.model.health.HealthStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("AHS-13")
class PublishedTest {

    private static final Published<HealthStatus> HEALTHY_AT_T0 = new Published<>(HEALTHY, Healths.T0);

    @Test
    void the_minimum_interval_between_events_is_five_minutes() {
        assertThat(Published.DWELL).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest(name = "{1} ms after healthy was published, {0} is due: {2}")
    @CsvSource({
        "DEGRADED,  0,        false",
        "DEGRADED,  299999,   false",
        "DEGRADED,  300000,   true",
        "DEGRADED,  86400000, true",
        "UNHEALTHY, 299999,   false",
        "UNHEALTHY, 300000,   true",
        "UNKNOWN,   300000,   true",
        // nothing changed
        "HEALTHY,   0,        false",
        "HEALTHY,   86400000, false",
        // a host's clock that is behind
        "DEGRADED,  -1000,    false"
    })
    void a_change_is_due_after_the_minimum_interval(HealthStatus current, long millis, boolean due) {
        assertThat(HEALTHY_AT_T0.isDue(current, Healths.T0.plusMillis(millis))).isEqualTo(due);
    }

    @Test
    void it_says_when_a_change_is_due() {
        assertThat(HEALTHY_AT_T0.dueAt(DEGRADED)).isEqualTo(Healths.T0.plusSeconds(300));
        assertThat(HEALTHY_AT_T0.dueAt(UNHEALTHY)).isEqualTo(Healths.T0.plusSeconds(300));
        assertThat(HEALTHY_AT_T0.dueAt(HEALTHY)).isEqualTo(Instant.MAX);
    }

    @Test
    void the_first_change_is_due_immediately() {
        Published<HealthStatus> nothing = Published.initially(UNKNOWN);
        assertThat(nothing.isDue(HEALTHY, Healths.T0)).isTrue();
        assertThat(nothing.dueAt(HEALTHY)).isBefore(Healths.T0);
        assertThat(nothing.isDue(UNKNOWN, Healths.T0)).isFalse();
        assertThat(nothing.dueAt(UNKNOWN)).isEqualTo(Instant.MAX);
    }
}
