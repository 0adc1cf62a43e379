package dev.agenthealth.document;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.identity.Sha256;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * A health document (Agent Health State §4.2), by {@code docs/schemas/agent-health-0.1.0.json}.
 *
 * @param json the document, which must not be changed
 * @param tag the tag, which is equal for documents that differ only in fields that change with time alone
 * @param computedAt the time of its computation
 */
record OwnDocument(ObjectNode json, String tag, Instant computedAt) {

    private static final String TIMESTAMP = "timestamp";
    private static final String LAST_HEALTHY_AT = "last_healthy_at";
    private static final String UPTIME_SECONDS = "uptime_seconds";
    private static final int SHARE_DECIMALS = 6;
    private static final int TAG_BYTES = 12;

    static OwnDocument of(HealthReading reading) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("schema_version", "0.1.0")
                .put("agent_id", reading.health().agentId())
                .put(TIMESTAMP, Timestamps.text(reading.at()));
        if (reading.health().subject().personal()) {
            json.putObject("health").put("status", reading.coarseStatus().wireName());
        } else {
            putAll(json, reading);
        }
        return new OwnDocument(json, tag(json, reading), reading.at());
    }

    /** Returns true while the document may be served; false if the clock was set back since its computation. */
    boolean isCurrent(Instant now) {
        return !now.isBefore(computedAt) && now.isBefore(computedAt.plus(OwnHealth.MAX_AGE));
    }

    private static void putAll(ObjectNode json, HealthReading reading) {
        ObjectNode health =
                json.putObject("health").put("status", reading.status().wireName());
        putMoment(health, LAST_HEALTHY_AT, reading.lastHealthyAt());
        health.put(UPTIME_SECONDS, reading.uptimeSeconds());
        Measurement measurement = reading.health().measurement();
        json.putObject("calibration")
                .put("response_ratio", rounded(measurement.responseRatio(), SHARE_DECIMALS))
                .put("error_ratio", rounded(measurement.errorRatio(), SHARE_DECIMALS))
                .put("latency_p50_ms", rounded(measurement.latencyP50Ms(), Measurement.LATENCY_DECIMALS))
                .put("latency_p99_ms", rounded(measurement.latencyP99Ms(), Measurement.LATENCY_DECIMALS))
                .put(
                        "measurement_window_seconds",
                        measurement.expectations().window().seconds())
                .put("sample_count", measurement.sampleCount());
        ObjectNode decay = json.putObject("decay")
                .put("calibration_trend", measurement.trend().wireName())
                .putNull("days_since_model_change");
        reading.daysSinceModelChange().ifPresent(days -> decay.put("days_since_model_change", days));
        putMoment(decay, "last_capability_update", reading.lastCapabilityUpdate());
    }

    private static void putMoment(ObjectNode json, String field, Optional<Instant> moment) {
        json.put(field, moment.map(Timestamps::text).orElse(null));
    }

    private static BigDecimal rounded(double number, int decimals) {
        return BigDecimal.valueOf(number).setScale(decimals, RoundingMode.HALF_UP);
    }

    private static String tag(ObjectNode json, HealthReading reading) {
        ObjectNode content = json.deepCopy();
        content.remove(TIMESTAMP);
        ObjectNode health = (ObjectNode) content.get("health");
        health.remove(UPTIME_SECONDS);
        if (reading.status() == HealthStatus.HEALTHY) {
            health.remove(LAST_HEALTHY_AT);
        }
        content.put("started_at", Timestamps.text(reading.health().subject().startedAt()));
        byte[] hash = Arrays.copyOf(Sha256.of(content.toString()), TAG_BYTES);
        return "W/\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"";
    }
}
