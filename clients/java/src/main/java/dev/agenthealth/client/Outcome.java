package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;

/** The outcome of an execution (Agent Health State §4). Immutable: each method returns a changed copy. */
public final class Outcome {

    private static final double NANOS_PER_MILLI = 1_000_000;

    private final ObjectNode json;

    private Outcome(ObjectNode json) {
        this.json = json;
    }

    /** Returns the outcome of an execution that succeeded. */
    public static Outcome success() {
        return new Outcome(Json.object().put("result", "success"));
    }

    /** Returns the outcome of an execution that failed. */
    public static Outcome failure(ErrorType type) {
        return new Outcome(Json.object().put("result", "failure").put("error_type", type.wireName()));
    }

    /** Returns the outcome of an execution that did not start. */
    public static Outcome triggerFailure() {
        return new Outcome(Json.object().put("result", "trigger_failure"));
    }

    /** Sets the time that the execution took. */
    public Outcome latency(Duration latency) {
        return new Outcome(json.deepCopy().put("latency_ms", latency.toNanos() / NANOS_PER_MILLI));
    }

    /** Sets the time at which the execution ended, by the registry's clock; by default the time of the recording. */
    public Outcome occurredAt(Instant moment) {
        return new Outcome(json.deepCopy().put("occurred_at", moment.toString()));
    }

    /** Marks the service level as breached, independent of the latency. */
    public Outcome slaBreached() {
        return new Outcome(json.deepCopy().put("sla_breached", true));
    }

    /** Marks the execution as an invocation through the gateway, which counts it itself. */
    public Outcome receipt(String receiptId) {
        return new Outcome(json.deepCopy().put("receipt_id", receiptId));
    }

    /** Sets the tokens and calls of the execution. */
    public Outcome usage(Usage usage) {
        ObjectNode changed = json.deepCopy();
        changed.set("usage", usage.json());
        return new Outcome(changed);
    }

    /** Sets the call of a model provider in the execution. */
    public Outcome upstream(Upstream upstream) {
        ObjectNode changed = json.deepCopy();
        changed.set("upstream", upstream.json());
        return new Outcome(changed);
    }

    /**
     * Sets the quality of the result, as an evaluation found it.
     *
     * @param quality from 0 to 1
     */
    public Outcome quality(double quality) {
        if (!(quality >= 0 && quality <= 1)) {
            throw new IllegalArgumentException("the quality must be from 0 to 1, but is " + quality);
        }
        return new Outcome(json.deepCopy().put("quality", quality));
    }

    /**
     * Sets the quality of the result, with the name of the evaluation.
     *
     * @param quality from 0 to 1
     */
    public Outcome quality(double quality, String evaluation) {
        return new Outcome(quality(quality).json.put("evaluation", evaluation));
    }

    boolean hasMoment() {
        return json.has("occurred_at");
    }

    /** Returns a copy of the outcome as the registry receives it. */
    public ObjectNode json() {
        return json.deepCopy();
    }
}
