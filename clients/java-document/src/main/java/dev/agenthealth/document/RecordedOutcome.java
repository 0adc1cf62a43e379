package dev.agenthealth.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Instant;

/** Converts an outcome of the client for the rules. */
final class RecordedOutcome {

    private RecordedOutcome() {}

    /** Returns the outcome. If its time is missing or in the future, it ended now. */
    static Outcome of(dev.agenthealth.client.Outcome outcome, Instant now) {
        JsonNode json = outcome.json();
        OutcomeResult result = WireNamed.find(
                        OutcomeResult.class, json.path("result").asText())
                .orElseThrow();
        ErrorType error = WireNamed.find(
                        ErrorType.class, json.path("error_type").asText())
                .orElse(ErrorType.OTHER);
        double latency = json.path("latency_ms").asDouble(Outcome.NO_LATENCY);
        Instant occurredAt =
                json.has("occurred_at") ? Instant.parse(json.path("occurred_at").asText()) : now;
        return new Outcome(
                result,
                error,
                latency < 0 ? Outcome.NO_LATENCY : Math.min(latency, Outcome.MAX_LATENCY_MS),
                occurredAt.isAfter(now) ? now : occurredAt,
                json.path("sla_breached").asBoolean());
    }
}
