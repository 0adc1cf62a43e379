package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;

/** The outcome of one execution (Agent Health State §4). Immutable: each method returns a changed copy. */
public final class Outcome {

    private static final double NANOS_PER_MILLI = 1_000_000;

    private final ObjectNode json;

    private Outcome(ObjectNode json) {
        this.json = json;
    }

    /** The execution succeeded. */
    public static Outcome success() {
        return new Outcome(Json.object().put("result", "success"));
    }

    /** The execution failed. */
    public static Outcome failure(ErrorType type) {
        return new Outcome(Json.object().put("result", "failure").put("error_type", type.wireName()));
    }

    /** The execution did not start. */
    public static Outcome triggerFailure() {
        return new Outcome(Json.object().put("result", "trigger_failure"));
    }

    /** The time that the execution took. */
    public Outcome latency(Duration latency) {
        return new Outcome(json.deepCopy().put("latency_ms", latency.toNanos() / NANOS_PER_MILLI));
    }

    /** The time at which the execution ended, by the registry's clock; by default the moment at which it is recorded. */
    public Outcome occurredAt(Instant moment) {
        return new Outcome(json.deepCopy().put("occurred_at", moment.toString()));
    }

    /** The execution breached its service level, whatever its latency. */
    public Outcome slaBreached() {
        return new Outcome(json.deepCopy().put("sla_breached", true));
    }

    /** The execution was an invocation through the gateway, which counts it itself. */
    public Outcome receipt(String receiptId) {
        return new Outcome(json.deepCopy().put("receipt_id", receiptId));
    }

    boolean hasMoment() {
        return json.has("occurred_at");
    }

    /** The outcome as the registry receives it; a copy. */
    public ObjectNode json() {
        return json.deepCopy();
    }
}
