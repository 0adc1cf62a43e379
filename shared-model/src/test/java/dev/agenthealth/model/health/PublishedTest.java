package dev.agenthealth.model.health;

import static dev.agenthealth.model.health.HealthStatus.HEALTHY;
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

    private static final Published<HealthStatus> AT_T0 = new Published<>(HEALTHY, Healths.T0, Healths.T0);

    @Test
    void the_dwell_is_five_minutes() {
        assertThat(Published.DWELL).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest(name = "{0}, last known {1}, then {2}: {3}")
    @CsvSource({
        "HEALTHY,   HEALTHY,   HEALTHY,   NONE",
        "HEALTHY,   HEALTHY,   DEGRADED,  FALL",
        "HEALTHY,   HEALTHY,   UNHEALTHY, FALL",
        "HEALTHY,   HEALTHY,   UNKNOWN,   OTHER",
        "DEGRADED,  DEGRADED,  UNHEALTHY, FALL",
        "DEGRADED,  DEGRADED,  HEALTHY,   RETURN",
        "DEGRADED,  DEGRADED,  UNKNOWN,   OTHER",
        "UNHEALTHY, UNHEALTHY, DEGRADED,  RETURN",
        "UNHEALTHY, UNHEALTHY, HEALTHY,   RETURN",
        "UNKNOWN,   UNKNOWN,   UNKNOWN,   NONE",
        "UNKNOWN,   UNKNOWN,   HEALTHY,   OTHER",
        "UNKNOWN,   UNKNOWN,   DEGRADED,  FALL",
        "UNKNOWN,   HEALTHY,   UNHEALTHY, FALL",
        "UNKNOWN,   HEALTHY,   HEALTHY,   OTHER",
        "UNKNOWN,   DEGRADED,  DEGRADED,  OTHER",
        "UNKNOWN,   UNHEALTHY, HEALTHY,   RETURN"
    })
    void a_status_is_compared_with_the_last_known_one(
            HealthStatus published, HealthStatus lastKnown, HealthStatus current, Published.Change change) {
        assertThat(current.changeFrom(published, lastKnown)).isEqualTo(change);
    }

    @ParameterizedTest(name = "a {0} since {1} ms is due after {2} ms: {3}")
    @CsvSource({
        "FALL,   0,      0,        true",
        "FALL,   60000,  60000,    true",
        // a host's clock that is behind
        "FALL,   -1000,  -1000,    true",
        "RETURN, 60000,  300000,   false",
        "RETURN, 60000,  359999,   false",
        "RETURN, 60000,  360000,   true",
        // the current value began before the last publication
        "RETURN, -90000, 299999,   false",
        "RETURN, -90000, 300000,   true",
        "OTHER,  60000,  299999,   false",
        "OTHER,  60000,  300000,   true",
        "NONE,   0,      86400000, false"
    })
    void a_fall_is_due_at_once_and_a_return_when_it_has_held(
            Published.Change change, long since, long millis, boolean due) {
        Published<HealthStatus> published = AT_T0.changed(Healths.T0.plusMillis(since));
        Instant now = Healths.T0.plusMillis(millis);
        assertThat(published.isDue(change, now)).isEqualTo(due);
        assertThat(published.dueAt(change).isAfter(now)).isNotEqualTo(due);
    }

    @Test
    void the_first_change_is_due_immediately() {
        Published<HealthStatus> nothing = Published.initially(UNKNOWN);
        assertThat(nothing.isDue(HEALTHY.changeFrom(UNKNOWN, UNKNOWN), Healths.T0))
                .isTrue();
        assertThat(nothing.dueAt(Published.Change.NONE)).isEqualTo(Instant.MAX);
    }
}
