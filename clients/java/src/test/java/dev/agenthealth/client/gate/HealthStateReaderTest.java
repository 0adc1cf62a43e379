package dev.agenthealth.client.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of agents that may be faulty or hostile. */
@Tag("AHS-17")
class HealthStateReaderTest {

    private static Optional<HealthState> read(String document) {
        return HealthStateReader.read(document.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_document_is_read_as_it_is() {
        assertThat(read(Documents.with("{}")))
                .contains(new HealthState(
                        HealthStatus.HEALTHY,
                        "https://agent.example/",
                        Optional.of(Instant.parse("2026-02-08T10:00:00Z")),
                        Optional.of(Instant.parse("2026-02-08T09:00:00Z")),
                        Optional.of(Duration.ofDays(1)),
                        OptionalDouble.of(0.97),
                        OptionalDouble.of(0.03),
                        OptionalDouble.of(120),
                        OptionalDouble.of(2500.5),
                        Optional.of(Duration.ofDays(1)),
                        OptionalLong.of(500),
                        Optional.of(Trend.STABLE),
                        OptionalDouble.empty(),
                        Optional.of(Instant.parse("2026-01-01T00:00:00Z"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "42",
                "\"healthy\"",
                "[]",
                "{}",
                "{\"schema_version\":\"0.1.0\"}",
                "{\"schema_version\":\"0.1.0\",\"health\":\"healthy\"}",
                "{\"schema_version\":\"0.1.0\",\"health\":[{\"status\":\"healthy\"}]}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":null}}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":1}}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":\"HEALTHY\"}}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":\"fine\"}}",
                "{\"schema_version\":0.1,\"health\":{\"status\":\"healthy\"}}",
                "{\"schema_version\":\"1.0.0\",\"health\":{\"status\":\"healthy\"}}",
                "{\"schema_version\":\"0.1\",\"health\":{\"status\":\"healthy\"}}",
                "{\"health\":{\"status\":\"healthy\"}}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":\"unhealthy\",\"status\":\"healthy\"}}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":\"healthy\"}} {}",
                "{\"schema_version\":\"0.1.0\",\"health\":{\"status\":\"healthy\"}",
                "<html>healthy</html>"
            })
    void what_is_no_health_document_is_not_read(String document) {
        assertThat(read(document)).isEmpty();
    }

    @Test
    void a_patch_of_the_version_is_read() {
        assertThat(read(Documents.with("{'schema_version':'0.1.7'}"))).isPresent();
    }

    @Test
    void fields_of_wrong_types_and_ranges_count_as_left_out() {
        HealthState health = read(Documents.with(
                        "{'agent_id':7,'timestamp':'yesterday',"
                                + "'health':{'last_healthy_at':'2026-02-08','uptime_seconds':-1},"
                                + "'calibration':{'response_ratio':1.01,'error_ratio':'0.5','latency_p50_ms':[],'latency_p99_ms':-3,"
                                + "'measurement_window_seconds':1e300,'sample_count':1.5},"
                                + "'decay':{'calibration_trend':'falling','days_since_model_change':true,'last_capability_update':{}}}"))
                .orElseThrow();

        assertThat(health)
                .isEqualTo(new HealthState(
                        HealthStatus.HEALTHY,
                        "",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        OptionalDouble.empty(),
                        Optional.empty()));
    }

    @Test
    void sections_of_wrong_types_count_as_left_out() {
        assertThat(read(Documents.with("{'calibration':[1],'decay':'stable','extensions':null}")))
                .isPresent();
    }

    @Test
    void a_deep_document_is_not_read() {
        assertThat(read(Documents.with("{'extensions':{'x.y':" + "[".repeat(20) + "]".repeat(20) + "}}")))
                .isPresent();
        assertThat(read("{\"extensions\":" + "[".repeat(60_000))).isEmpty();
        assertThat(read(
                        """
                {"schema_version":"0.1.0","health":{"status":"healthy"},"extensions":{"x.y":\
                """
                                + "[".repeat(40)
                                + "]".repeat(40) + "}}"))
                .isEmpty();
    }

    @Test
    void a_long_id_counts_as_left_out() {
        String id = "x".repeat(2_048);

        assertThat(read(Documents.with("{'agent_id':'" + id + "'}"))
                        .orElseThrow()
                        .agentId())
                .isEqualTo(id);
        assertThat(read(Documents.with("{'agent_id':'" + id + "x'}"))
                        .orElseThrow()
                        .agentId())
                .isEmpty();
    }

    @Test
    void numbers_with_many_digits_cost_nothing() {
        assertThat(read(Documents.with("{}").replace("86400", "9".repeat(50_000))))
                .isEmpty();
        assertThat(read(Documents.with("{}").replace("2500.5", "1e999999999"))
                        .orElseThrow()
                        .latencyP99Millis())
                .isEmpty();
    }

    @Test
    void no_change_of_a_document_makes_the_reader_fail() {
        Random random = new Random(7);
        byte[] document = Documents.with("{}").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2_000; i++) {
            byte[] changed = document.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            assertThat(HealthStateReader.read(changed)).isNotNull();
        }
    }
}
