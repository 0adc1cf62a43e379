package dev.agenthealth.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.ErrorType;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.testkit.HealthDocumentSchema;
import dev.agenthealth.testkit.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The document that an agent serves about itself. */
class OwnHealthTest {

    private static final HealthDocumentSchema SCHEMA = new HealthDocumentSchema();
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final MutableClock clock = MutableClock.atExampleTime();
    private final Instant start = clock.instant();
    private final OwnHealth health =
            agent().baselineLatency(Duration.ofMillis(100)).build();

    private OwnHealthBuilder agent() {
        return OwnHealth.builder("https://agent.example.com").window(WINDOW).clock(clock);
    }

    private static void record(OwnHealth health, int successes, int failures) {
        for (int i = 0; i < successes; i++) {
            health.record(Outcome.success().latency(Duration.ofMillis(50)));
        }
        for (int i = 0; i < failures; i++) {
            health.record(Outcome.failure(ErrorType.TIMEOUT).latency(Duration.ofMillis(50)));
        }
    }

    private static JsonNode shown(OwnHealth health) {
        JsonNode json = health.json();
        SCHEMA.check(json.toString());
        return json;
    }

    private static String status(OwnHealth health) {
        return shown(health).path("health").path("status").asText();
    }

    @Test
    @Tag("AHS-02")
    void the_document_of_a_started_agent_is_valid_and_unknown() {
        JsonNode json = shown(health);

        assertThat(json.path("agent_id").asText()).isEqualTo("https://agent.example.com");
        assertThat(json.path("timestamp").asText()).isEqualTo(Timestamps.text(start));
        assertThat(json.at("/health/status").asText()).isEqualTo("unknown");
        assertThat(json.at("/health/last_healthy_at").isNull()).isTrue();
        assertThat(json.at("/calibration/sample_count").asInt()).isZero();
        assertThat(json.at("/calibration/measurement_window_seconds").asInt()).isEqualTo(600);
        assertThat(json.at("/decay/days_since_model_change").isNull()).isTrue();
        assertThat(json.at("/decay/last_capability_update").asText()).isEqualTo(Timestamps.text(start));
    }

    @ParameterizedTest
    @CsvSource({
        "9, 0, unknown",
        "10, 0, healthy",
        "19, 1, healthy",
        "18, 2, degraded",
        "5, 5, degraded",
        "4, 6, unhealthy"
    })
    @Tag("AHS-03")
    @Tag("AHS-05")
    @Tag("AHS-06")
    void the_status_follows_from_the_outcomes_by_the_registrys_rules(int successes, int failures, String status) {
        record(health, successes, failures);

        assertThat(status(health)).isEqualTo(status);
    }

    @Test
    @Tag("AHS-04")
    void an_agent_that_is_three_times_slower_than_its_baseline_is_degraded() {
        for (int i = 0; i < 20; i++) {
            health.record(Outcome.success().latency(Duration.ofMillis(301)));
        }

        assertThat(status(health)).isEqualTo("degraded");
        assertThat(health.json().at("/calibration/latency_p99_ms").asDouble()).isBetween(300.001, 316.0);
    }

    @Test
    void an_outcome_without_a_latency_and_one_that_did_not_start_count_as_the_registry_counts_them() {
        for (int i = 0; i < 10; i++) {
            health.record(Outcome.success());
            health.record(Outcome.triggerFailure());
        }

        JsonNode json = shown(health);
        assertThat(json.at("/calibration/sample_count").asInt()).isEqualTo(10);
        assertThat(json.at("/calibration/latency_p50_ms").asInt()).isZero();
    }

    @Test
    @Tag("AHS-14")
    void the_document_is_computed_at_most_once_a_minute() {
        record(health, 10, 0);
        assertThat(status(health)).isEqualTo("healthy");
        record(health, 0, 20);
        clock.advance(Duration.ofMillis(59_999));
        assertThat(status(health)).isEqualTo("healthy");

        clock.advance(Duration.ofMillis(1));
        assertThat(status(health)).isEqualTo("unhealthy");
    }

    @Test
    @Tag("AHS-07")
    void the_last_healthy_moment_is_known_also_without_a_request_for_the_document() {
        record(health, 20, 0);
        clock.advance(Duration.ofSeconds(30));
        Instant healthy = clock.instant();
        record(health, 0, 1);
        clock.advance(Duration.ofSeconds(30));
        record(health, 0, 60);
        clock.advance(Duration.ofMinutes(2));

        JsonNode json = shown(health);
        assertThat(json.at("/health/status").asText()).isEqualTo("unhealthy");
        assertThat(Instant.parse(json.at("/health/last_healthy_at").asText())).isBetween(healthy, clock.instant());
        assertThat(json.at("/health/uptime_seconds").asLong()).isEqualTo(180);
    }

    @Test
    @Tag("AHS-10")
    void the_trend_compares_the_window_with_the_one_before() {
        record(health, 20, 0);
        clock.advance(WINDOW.plusMinutes(1));
        record(health, 16, 4);

        assertThat(shown(health).at("/decay/calibration_trend").asText()).isEqualTo("declining");
        clock.advance(WINDOW.plusMinutes(1));
        assertThat(shown(health).at("/decay/calibration_trend").asText()).isEqualTo("stable");
        assertThat(health.json().at("/calibration/sample_count").asInt()).isZero();
    }

    @Test
    @Tag("AHS-11")
    void the_change_of_the_model_is_counted_in_days() {
        OwnHealth changed = agent().modelChangedAt(start.minus(Duration.ofHours(60)))
                .capabilitiesUpdatedAt(start.minusSeconds(5))
                .build();

        assertThat(shown(changed).at("/decay/days_since_model_change").asInt()).isEqualTo(2);
        assertThat(shown(changed).at("/decay/last_capability_update").asText())
                .isEqualTo(Timestamps.text(start.minusSeconds(5)));
    }

    @Test
    @Tag("AHS-15")
    void a_personal_agent_shows_its_status_only() {
        OwnHealth personal = agent().personal().build();
        record(personal, 18, 2);

        assertThat(shown(personal).at("/health").toString()).isEqualTo("{\"status\":\"healthy\"}");
        assertThat(shown(personal).has("calibration")).isFalse();
        assertThat(shown(personal).has("decay")).isFalse();
    }

    @Test
    void outcomes_count_when_they_occurred() {
        record(health, 10, 0);
        for (int i = 0; i < 10; i++) {
            health.record(Outcome.failure(ErrorType.OTHER)
                    .occurredAt(start.minus(WINDOW).minusSeconds(60)));
            health.record(Outcome.failure(ErrorType.OTHER).occurredAt(start.minus(Duration.ofDays(1))));
            health.record(Outcome.success().occurredAt(start.plus(Duration.ofDays(1))));
        }

        JsonNode json = shown(health);
        assertThat(json.at("/calibration/sample_count").asInt()).isEqualTo(20);
        assertThat(json.at("/decay/calibration_trend").asText()).isEqualTo("improving");
    }

    @Test
    void a_clock_that_is_set_back_leaves_no_old_document() {
        record(health, 10, 0);
        assertThat(status(health)).isEqualTo("healthy");
        clock.advance(Duration.ofDays(-1));

        assertThat(shown(health).path("timestamp").asText()).isEqualTo(Timestamps.text(clock.instant()));
    }

    @Test
    void any_series_of_outcomes_gives_a_valid_document() {
        Random random = new Random(11);
        for (int i = 0; i < 300; i++) {
            record(health, random.nextInt(4), random.nextInt(2));
            health.record(Outcome.success().latency(Duration.ofNanos(random.nextLong(100_000_000_000L))));
            clock.advance(Duration.ofSeconds(random.nextInt(90)));
            shown(health);
        }
    }

    @Test
    void declarations_that_make_no_sense_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> OwnHealth.builder(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> agent().window(Duration.ofSeconds(299)));
        assertThatIllegalArgumentException().isThrownBy(() -> agent().baselineLatency(Duration.ZERO));
    }
}
