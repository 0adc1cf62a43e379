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
import java.util.OptionalDouble;

/** JSON that several health responses share. */
final class HealthJson {

    private HealthJson() {}

    /**
     * Returns the calibration metrics of a health document. They come from executions, or from probes if there are none; probes only have
     * the latency of the last answer.
     */
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

    /** Returns the calibration metrics (Agent Health State §4.4). Without samples, ratios and latencies are 0. */
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

    /** Returns the number of executions by reporter. */
    static ObjectNode samples(OutcomeCounts counts) {
        ObjectNode samples = Json.object();
        for (OutcomeSource source : OutcomeSource.values()) {
            samples.put(source.wireName(), counts.get(source.successes()) + counts.get(source.failures()));
        }
        return samples;
    }

    /** Returns the average quality of the evaluated executions, beside the minimum that the agent declares. */
    static ObjectNode quality(Measurement measurement) {
        OptionalDouble minimum = measurement.expectations().minQuality();
        ObjectNode json = Json.object();
        putQuality(json, "average", measurement.counts().quality());
        return json.put("evaluations", measurement.counts().evaluations())
                .put("minimum", minimum.isPresent() ? Decimals.share(minimum.getAsDouble()) : null);
    }

    /** Puts a quality; null without evaluations. */
    static void putQuality(ObjectNode json, String field, OptionalDouble quality) {
        json.put(field, quality.isPresent() ? Decimals.share(quality.getAsDouble()) : null);
    }

    /** Puts the quantiles of the latency. */
    static void putLatencies(ObjectNode json, double p50Ms, double p99Ms) {
        json.put("latency_p50_ms", Decimals.rounded(p50Ms, Measurement.LATENCY_DECIMALS));
        json.put("latency_p99_ms", Decimals.rounded(p99Ms, Measurement.LATENCY_DECIMALS));
    }

    /** Puts the score with two decimals; null for an inactive agent. */
    static void putPoints(ObjectNode json, HealthScore score) {
        json.put("score", score.active() ? score.points() : null);
    }

    /** Puts a time; null if it is empty. */
    static void putMoment(ObjectNode json, String field, Optional<Instant> moment) {
        json.put(field, moment.map(Timestamps::text).orElse(null));
    }
}
