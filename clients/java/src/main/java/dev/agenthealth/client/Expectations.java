package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/** The expected values for the measurement of an agent's health (Agent Health Model). Immutable: each method returns a changed copy. */
public final class Expectations {

    private final ObjectNode json;

    private Expectations(ObjectNode json) {
        this.json = json;
    }

    /** Returns empty expectations. */
    public static Expectations none() {
        return new Expectations(Json.object());
    }

    /** Sets the usual runtime of an execution. */
    public Expectations runtime(Duration runtime) {
        return with("runtime_ms", runtime.toMillis());
    }

    /** Sets the usual latency; the 99th percentile may be three times as high. */
    public Expectations baselineLatency(Duration latency) {
        return with("baseline_latency_ms", latency.toMillis());
    }

    /** Sets the latency above which an execution breaches the service level. */
    public Expectations sla(Duration latency) {
        return with("sla_ms", latency.toMillis());
    }

    /** Sets the share of executions that succeed, 0 to 1. */
    public Expectations successRate(double share) {
        return with("success_rate", share);
    }

    /** Sets the average quality of evaluated executions below which the agent is degraded, 0 to 1. */
    public Expectations minQuality(double quality) {
        return with("min_quality", quality);
    }

    /** Sets the length of the measurement window. */
    public Expectations window(Duration window) {
        return with("window_seconds", window.toSeconds());
    }

    /** Sets a limit for the usage of the agent by its field name, such as {@code tokens_per_hour}. */
    public Expectations limit(String field, long number) {
        return withLimits(limits().put(field, number));
    }

    /** Counts input tokens from a cache in limits, too. */
    public Expectations countCached() {
        return withLimits(limits().put("count_cached", true));
    }

    /** Sets what the registry does when a limit is used up: {@code none}, {@code drain}, {@code block} or {@code restart}. */
    public Expectations onExceeded(String action) {
        return withLimits(limits().put("on_exceeded", action));
    }

    private ObjectNode limits() {
        return json.path("limits") instanceof ObjectNode limits ? limits.deepCopy() : Json.object();
    }

    private Expectations withLimits(ObjectNode limits) {
        ObjectNode copy = json.deepCopy();
        copy.set("limits", limits);
        return new Expectations(copy);
    }

    /** Sets any expectation by its field name. */
    public Expectations with(String field, Number value) {
        ObjectNode copy = json.deepCopy();
        copy.set(field, Json.of(value));
        return new Expectations(copy);
    }

    ObjectNode json() {
        return json.deepCopy();
    }
}
