package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.OptionalInt;

/** An invocation through the gateway: how it ended, or that it has not ended yet. */
public final class Receipt extends Document {

    Receipt(JsonNode json) {
        super(json);
    }

    /** The id; an {@link Outcome} may name it. */
    public String id() {
        return Json.text(node(), "receipt_id");
    }

    public String agentId() {
        return Json.text(node(), "agent_id");
    }

    /** {@code succeeded}, {@code failed}, or a status from before the end such as {@code accepted}. */
    public String status() {
        return Json.text(node(), "status");
    }

    public boolean succeeded() {
        return status().equals("succeeded");
    }

    /** The agent's answer, an A2A message or task; missing while there is none. */
    public JsonNode output() {
        return node().path("output").deepCopy();
    }

    /** The code of the failure; empty where it did not fail. */
    public String error() {
        return Json.text(node(), "error");
    }

    /** The trace that {@link Invocation#traceparent} named; empty where it named none, and in the answers of {@link Invocation}. */
    public String traceId() {
        return Json.text(node(), "trace_id");
    }

    /** The time that the agent took; zero where it was not called. */
    public Duration latency() {
        OptionalInt millis = Json.integer(node(), "latency_ms");
        return Duration.ofMillis(millis.orElse(0));
    }
}
