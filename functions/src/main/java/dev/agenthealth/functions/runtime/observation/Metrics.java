package dev.agenthealth.functions.runtime.observation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects metrics with the same timestamp, in as few lines as CloudWatch's embedded format allows. A line holds each metric once, and one
 * value per dimension. Not thread-safe.
 */
public final class Metrics {

    private final List<Line> lines = new ArrayList<>();

    /** The contents of one line. */
    private record Line(Map<Metric, Long> values, Map<String, String> dimensions) {

        Line() {
            this(new EnumMap<>(Metric.class), new HashMap<>());
        }

        boolean takes(Metric metric, String dimensionValue) {
            return !values.containsKey(metric)
                    && metric.dimension()
                            .map(dimensions::get)
                            .map(dimensionValue::equals)
                            .orElse(true);
        }
    }

    /**
     * Adds a metric that has no dimension besides the stack.
     *
     * @throws IllegalArgumentException if the metric has a second dimension
     */
    public Metrics with(Metric metric, long value) {
        return with(metric, value, Optional.empty());
    }

    /**
     * Adds a metric with the value of its second dimension.
     *
     * @param dimensionValue one of a small set: CloudWatch counts each value as a metric
     * @throws IllegalArgumentException if the metric has no second dimension
     */
    public Metrics with(Metric metric, long value, String dimensionValue) {
        return with(metric, value, Optional.of(dimensionValue));
    }

    /** Adds a count unless it is 0. */
    public Metrics withNonZero(Metric metric, long count) {
        return count == 0 ? this : with(metric, count);
    }

    /** Adds a count with the value of its second dimension, unless the count is 0. */
    public Metrics withNonZero(Metric metric, long count, String dimensionValue) {
        return count == 0 ? this : with(metric, count, dimensionValue);
    }

    private Metrics with(Metric metric, long value, Optional<String> dimensionValue) {
        if (metric.dimension().isPresent() != dimensionValue.isPresent()) {
            throw new IllegalArgumentException(metric + " has the dimension " + metric.dimension());
        }
        String ofDimension = dimensionValue.orElse("");
        Line line = lines.stream()
                .filter(one -> one.takes(metric, ofDimension))
                .findFirst()
                .orElseGet(() -> {
                    lines.add(new Line());
                    return lines.get(lines.size() - 1);
                });
        line.values().put(metric, value);
        metric.dimension().ifPresent(dimension -> line.dimensions().put(dimension, ofDimension));
        return this;
    }

    /** Returns the lines; empty if nothing was added. */
    List<ObjectNode> lines(String stack, Instant at) {
        return lines.stream().map(line -> json(line, stack, at)).toList();
    }

    private static ObjectNode json(Line line, String stack, Instant at) {
        ObjectNode json = Json.object();
        // This field comes first, so that a log pattern can match metrics by the beginning of the line.
        ObjectNode aws = json.putObject("_aws");
        aws.put("Timestamp", at.toEpochMilli());
        ArrayNode directives = aws.putArray("CloudWatchMetrics");
        Map<String, ArrayNode> metricsByDimension = new HashMap<>();
        json.put(Metric.STACK, stack);
        line.dimensions().forEach(json::put);
        line.values().forEach((metric, value) -> {
            metricsByDimension
                    .computeIfAbsent(metric.dimension().orElse(""), dimension -> directive(directives, dimension))
                    .addObject()
                    .put("Name", metric.wireName())
                    .put("Unit", metric.unit().wireName());
            json.put(metric.wireName(), value);
        });
        return json;
    }

    private static ArrayNode directive(ArrayNode directives, String dimension) {
        ObjectNode directive = directives.addObject();
        directive.put("Namespace", Metric.NAMESPACE);
        ArrayNode dimensions = directive.putArray("Dimensions").addArray().add(Metric.STACK);
        if (!dimension.isEmpty()) {
            dimensions.add(dimension);
        }
        return directive.putArray("Metrics");
    }
}
