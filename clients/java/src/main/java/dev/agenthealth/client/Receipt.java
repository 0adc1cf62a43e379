package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.OptionalInt;

/** The receipt of an invocation through the gateway, finished or in progress. */
public final class Receipt extends Document {

    Receipt(JsonNode json) {
        super(json);
    }

    /** Returns the id, to which an {@link Outcome} may refer. */
    public String id() {
        return Json.text(node(), "receipt_id");
    }

    public String agentId() {
        return Json.text(node(), "agent_id");
    }

    /** Returns {@code succeeded}, {@code failed}, or an earlier status such as {@code accepted}. */
    public String status() {
        return Json.text(node(), "status");
    }

    public boolean succeeded() {
        return status().equals("succeeded");
    }

    /** Returns the agent's answer, an A2A message or task; missing until it exists. */
    public JsonNode output() {
        return node().path("output").deepCopy();
    }

    /** Returns the code of the failure; empty if it did not fail. */
    public String error() {
        return Json.text(node(), "error");
    }

    /** Returns the trace of {@link Invocation#traceparent}. Empty if it was not set, and in the answers of {@link Invocation}. */
    public String traceId() {
        return Json.text(node(), "trace_id");
    }

    /** Returns the time that the agent took; zero if it was not called. */
    public Duration latency() {
        OptionalInt millis = Json.integer(node(), "latency_ms");
        return Duration.ofMillis(millis.orElse(0));
    }
}
