package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import java.time.Instant;
import java.util.Optional;

/** JSON that several health responses share. */
final class HealthJson {

    private HealthJson() {}

    /** The calibration metrics of a health document: of executions, else of probes, whose last answer is all that is known of their latency. */
    static ObjectNode calibration(HealthReading reading) {
        ObjectNode json = calibration(reading.health().measurement());
        reading.probes().ifPresent(probes -> {
            json.put("response_ratio", Decimals.share(probes.failing() ? 0 : 1));
            json.put("error_ratio", Decimals.share(probes.failing() ? 1 : 0));
            putLatencies(json, probes.latencyMs(), probes.latencyMs());
            json.put("sample_count", probes.samples());
        });
        return json;
    }

    /** The calibration metrics (Agent Health State §4.4); without samples, ratios and latencies are 0. */
    static ObjectNode calibration(Measurement measurement) {
        ObjectNode json = Json.object();
        json.put("response_ratio", Decimals.share(measurement.responseRatio()));
        json.put("error_ratio", Decimals.share(measurement.errorRatio()));
        putLatencies(json, measurement.latencyP50Ms(), measurement.latencyP99Ms());
        json.put(
                "measurement_window_seconds",
                measurement.expectations().window().length().toSeconds());
        json.put("sample_count", measurement.sampleCount());
        return json;
    }

    /** The number of executions by reporter. */
    static ObjectNode samples(OutcomeCounts counts) {
        ObjectNode samples = Json.object();
        for (OutcomeSource source : OutcomeSource.values()) {
            samples.put(source.wireName(), counts.get(source.successes()) + counts.get(source.failures()));
        }
        return samples;
    }

    /** The quantiles of the latency. */
    static void putLatencies(ObjectNode json, double p50Ms, double p99Ms) {
        json.put("latency_p50_ms", Decimals.rounded(p50Ms, Measurement.LATENCY_DECIMALS));
        json.put("latency_p99_ms", Decimals.rounded(p99Ms, Measurement.LATENCY_DECIMALS));
    }

    /** The score with two decimals; null for an inactive agent. */
    static void putPoints(ObjectNode json, HealthScore score) {
        json.put("score", score.active() ? score.points() : null);
    }

    /** A moment; null where there was none. */
    static void putMoment(ObjectNode json, String field, Optional<Instant> moment) {
        json.put(field, moment.map(Timestamps::text).orElse(null));
    }
}
