package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.HealthDocumentSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The project's schema is as strict as the draft (§4.2). */
@Tag("AHS-02")
class HealthDocumentSchemaTest {

    private static final String FULL =
            """
            {"schema_version":"0.1.0","agent_id":"a","timestamp":"2026-02-08T10:00:00Z",
             "health":{"status":"healthy","last_healthy_at":"2026-02-08T10:00:00.123Z","uptime_seconds":1},
             "calibration":{"response_ratio":0.95,"error_ratio":0.05,"latency_p50_ms":1.5,"latency_p99_ms":2,
              "measurement_window_seconds":300,"sample_count":20},
             "decay":{"calibration_trend":"stable","days_since_model_change":null,"last_capability_update":"2026-02-08T10:00:00Z"},
             "extensions":{"com.example.feature":{"anything":[1]},"dev.agenthealth.score":1}}
            """;
    private static final String COARSE =
            """
            {"schema_version":"0.1.0","agent_id":"a","timestamp":"2026-02-08T10:00:00Z","health":{"status":"healthy"},
             "extensions":{}}
            """;

    private final HealthDocumentSchema schema = new HealthDocumentSchema();

    @Test
    void both_forms_of_the_document_are_valid_with_and_without_extensions() {
        for (String document : new String[] {FULL, COARSE}) {
            schema.check(document);
            ObjectNode without = (ObjectNode) Json.stored(document);
            without.remove("extensions");
            schema.check(Json.text(without));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "schema_version|\"0.2.0\"",
                "agent_id|\"\"",
                "agent_id|7",
                "timestamp|\"2026-02-08T10:00:00\"",
                "timestamp|\"2026-02-08 10:00:00Z\"",
                "timestamp|\"08.02.2026\"",
                "timestamp|1770546670000",
                "timestamp|null",
                "health.status|\"active\"",
                "health.status|\"Healthy\"",
                "health.last_healthy_at|\"never\"",
                "health.uptime_seconds|-1",
                "health.uptime_seconds|1.5",
                "health.uptime_seconds|null",
                "health.more|1",
                "calibration.response_ratio|1.1",
                "calibration.response_ratio|-0.1",
                "calibration.response_ratio|\"1\"",
                "calibration.error_ratio|2",
                "calibration.latency_p50_ms|-1",
                "calibration.latency_p99_ms|null",
                "calibration.measurement_window_seconds|299",
                "calibration.sample_count|1.5",
                "calibration.more|1",
                "decay.calibration_trend|\"rising\"",
                "decay.days_since_model_change|-1",
                "decay.days_since_model_change|0.5",
                "decay.last_capability_update|\"\"",
                "decay.more|1",
                "more|1"
            })
    void an_invalid_field_is_an_error(String field, String value) {
        assertThat(schema.errors(with(field, value), true))
                .as(field + " " + value)
                .isNotEmpty();
        assertThat(schema.errors(with(field, value), false))
                .as(field + " " + value)
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schema_version",
                "agent_id",
                "timestamp",
                "health",
                "calibration",
                "decay",
                "health.status",
                "health.last_healthy_at",
                "health.uptime_seconds",
                "calibration.response_ratio",
                "calibration.error_ratio",
                "calibration.latency_p50_ms",
                "calibration.latency_p99_ms",
                "calibration.measurement_window_seconds",
                "calibration.sample_count",
                "decay.calibration_trend",
                "decay.days_since_model_change",
                "decay.last_capability_update"
            })
    void a_missing_field_is_an_error(String field) {
        ObjectNode document = (ObjectNode) Json.stored(FULL);
        parent(document, field).remove(name(field));
        assertThat(schema.errors(Json.text(document))).isNotEmpty();
    }

    @Test
    @Tag("AHS-15")
    void the_coarse_form_has_neither_degraded_nor_figures() {
        for (String status : new String[] {"healthy", "unhealthy", "unknown"}) {
            schema.check(COARSE.replace("healthy", status));
        }
        assertThat(schema.errors(COARSE.replace("healthy", "degraded"))).isNotEmpty();
        assertThat(schema.errors(COARSE.replace("\"healthy\"", "\"healthy\",\"uptime_seconds\":1")))
                .isNotEmpty();
    }

    @ParameterizedTest
    @Tag("AHS-16")
    @ValueSource(strings = {"feature", "", ".feature", "com.", "com..feature", "com.example feature"})
    void an_extension_without_a_namespace_is_an_error(String name) {
        assertThat(schema.errors(with("extensions", "{\"" + name + "\":1}"))).isNotEmpty();
    }

    private static String with(String field, String value) {
        ObjectNode document = (ObjectNode) Json.stored(FULL);
        parent(document, field).set(name(field), Json.stored(value));
        return Json.text(document);
    }

    private static ObjectNode parent(ObjectNode document, String field) {
        int dot = field.indexOf('.');
        return dot < 0 ? document : (ObjectNode) document.get(field.substring(0, dot));
    }

    private static String name(String field) {
        return field.substring(field.indexOf('.') + 1);
    }
}
