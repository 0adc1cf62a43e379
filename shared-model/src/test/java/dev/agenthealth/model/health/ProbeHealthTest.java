package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What probes show of an agent without executions. */
@Tag("AHS-20")
class ProbeHealthTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private static ProbeState since(long sinceSeconds, long atSeconds) {
        return found(found(ProbeState.NONE, "", sinceSeconds), "", atSeconds);
    }

    private static ProbeState found(ProbeState before, String failure, long secondsAgo) {
        return before.then(new ProbeResult(NOW.minusSeconds(secondsAgo), failure, "", 42, Instant.EPOCH));
    }

    @ParameterizedTest(name = "the same since {0} s, last known {1} s ago, every {2} s: {3} samples")
    @CsvSource({
        "0, 0, 60, 1",
        "540, 0, 60, 10",
        "600, 61, 60, 9",
        "600, 0, 300, 3",
        // The window has an hour.
        "7200, 0, 60, 61",
        // The registry has not asked for long.
        "900, 720, 60, 4",
        "900, 721, 60, 0",
    })
    void probes_since_the_last_change_count_once_an_interval(long since, long at, int interval, long samples) {
        assertThat(ProbeHealth.of(since(since, at), interval, HOUR, NOW)
                        .map(ProbeHealth::samples)
                        .orElse(0L))
                .isEqualTo(samples);
    }

    @ParameterizedTest(name = "{0} samples, failing {1}, {2}: {3}")
    @CsvSource({
        "9, false, ACTIVE, UNKNOWN",
        "10, false, ACTIVE, HEALTHY",
        "10, false, UNHEALTHY, DEGRADED",
        "9, true, UNHEALTHY, UNKNOWN",
        "10, true, UNHEALTHY, UNHEALTHY",
        "1, true, DEAD, UNHEALTHY",
        "10, false, DRAINING, HEALTHY",
    })
    @Tag("AHS-06")
    void the_status_needs_ten_samples(long samples, boolean failing, LifecycleStatus lifecycle, HealthStatus status) {
        assertThat(new ProbeHealth(samples, failing, 42, NOW).status(lifecycle)).isEqualTo(status);
    }

    @Test
    void failures_count_together_whatever_their_reasons() {
        ProbeState failing = found(found(ProbeState.NONE, "HTTP 500", 600), "HTTP 503", 0);
        assertThat(ProbeHealth.of(failing, 60, HOUR, NOW)).contains(new ProbeHealth(11, true, 42, NOW));
    }

    @Test
    void an_agent_that_was_never_probed_shows_nothing() {
        assertThat(ProbeHealth.of(ProbeState.NONE, 60, HOUR, NOW)).isEmpty();
    }
}
