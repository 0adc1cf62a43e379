package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Period;
import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** Shows the outcomes of an agent per five minutes. A slice wider than five minutes is a point of its own. */
final class OutcomePoints {

    private static final int SECONDS = 300;

    private OutcomePoints() {}

    /** Adds a point for each five minutes with outcomes, the oldest point first. */
    static void add(ArrayNode points, SortedMap<Slice, OutcomeCounts> slices, Period period) {
        SortedMap<Slice, OutcomeCounts> byPoint = new TreeMap<>();
        slices.forEach((slice, counts) -> byPoint.merge(point(slice), counts, OutcomeCounts::plus));
        byPoint.forEach((point, counts) -> {
            boolean isInPeriod = point.end().isAfter(period.from())
                    && !Instant.ofEpochSecond(point.start()).isAfter(period.to());
            if (isInPeriod && counts.executions() + counts.evaluations() > 0) {
                points.add(json(point, counts));
            }
        });
    }

    private static Slice point(Slice slice) {
        return slice.width() >= SECONDS ? slice : new Slice(Math.floorDiv(slice.start(), SECONDS) * SECONDS, SECONDS);
    }

    private static ObjectNode json(Slice point, OutcomeCounts counts) {
        ObjectNode json = Json.object()
                .put("at", Timestamps.text(Instant.ofEpochSecond(point.start())))
                .put("seconds", point.width());
        json.put(
                "response_ratio",
                counts.executions() == 0 ? null : Decimals.share((double) counts.successes() / counts.executions()));
        if (counts.latencies().total() > 0) {
            HealthJson.putLatencies(
                    json, counts.latencies().quantile(50), counts.latencies().quantile(99));
        } else {
            json.putNull("latency_p50_ms").putNull("latency_p99_ms");
        }
        HealthJson.putQuality(json, "quality", counts.quality());
        return json.put("sample_count", counts.executions());
    }
}
