package dev.agenthealth.client.gate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads health documents of agents that may be faulty or hostile. Thread-safe. */
final class HealthStateReader {

    private static final int MAX_DEPTH = 32;
    private static final int MAX_DIGITS = 64;

    /** The maximum length of a text, since states of many agents are kept in memory. */
    private static final int MAX_TEXT_LENGTH = 2_048;

    /** The known versions. Versions 0.1.x are compatible with each other; a later version may change the meaning of words. */
    private static final Pattern KNOWN_VERSION = Pattern.compile("0\\.1\\.[0-9]{1,9}([-+][0-9A-Za-z.+-]{1,64})?");

    private static final double MAX_SECONDS = Duration.ofDays(365_000).toSeconds();

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(MAX_DIGITS)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private HealthStateReader() {}

    /** Returns the state in a document; empty if the document is no JSON, has an unknown version or no status. */
    static Optional<HealthState> read(byte[] document) {
        try {
            JsonNode json = MAPPER.readTree(document);
            return json == null ? Optional.empty() : state(json);
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<HealthState> state(JsonNode json) {
        if (!KNOWN_VERSION.matcher(text(json, "schema_version")).matches()) {
            return Optional.empty();
        }
        JsonNode health = json.path("health");
        JsonNode calibration = json.path("calibration");
        JsonNode decay = json.path("decay");
        return HealthStatus.ofWireName(text(health, "status"))
                .map(status -> new HealthState(
                        status,
                        text(json, "agent_id"),
                        moment(json, "timestamp"),
                        moment(health, "last_healthy_at"),
                        seconds(health, "uptime_seconds"),
                        number(calibration, "response_ratio", 1),
                        number(calibration, "error_ratio", 1),
                        number(calibration, "latency_p50_ms", Double.MAX_VALUE),
                        number(calibration, "latency_p99_ms", Double.MAX_VALUE),
                        seconds(calibration, "measurement_window_seconds"),
                        whole(calibration, "sample_count"),
                        Trend.ofWireName(text(decay, "calibration_trend")),
                        number(decay, "days_since_model_change", Double.MAX_VALUE),
                        moment(decay, "last_capability_update")));
    }

    private static String text(JsonNode json, String field) {
        String value = json.path(field).isTextual() ? json.path(field).textValue() : "";
        return value.length() <= MAX_TEXT_LENGTH ? value : "";
    }

    private static OptionalDouble number(JsonNode json, String field, double max) {
        JsonNode value = json.path(field);
        double number = value.isNumber() ? value.doubleValue() : Double.NaN;
        return number >= 0 && number <= max ? OptionalDouble.of(number) : OptionalDouble.empty();
    }

    private static OptionalLong whole(JsonNode json, String field) {
        JsonNode value = json.path(field);
        boolean counts = value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
        return counts ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    private static Optional<Duration> seconds(JsonNode json, String field) {
        OptionalDouble seconds = number(json, field, MAX_SECONDS);
        return seconds.isPresent()
                ? Optional.of(Duration.ofMillis(Math.round(seconds.getAsDouble() * 1_000)))
                : Optional.empty();
    }

    private static Optional<Instant> moment(JsonNode json, String field) {
        try {
            return Optional.of(OffsetDateTime.parse(text(json, field)).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
