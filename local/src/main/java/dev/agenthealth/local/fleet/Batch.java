package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.util.List;

/**
 * Outcomes that are sent together, under an id that is the same on a retry.
 *
 * @param id unique for an agent
 * @param outcomes at least one outcome
 */
record Batch(String id, List<Outcome> outcomes) {

    Batch {
        outcomes = List.copyOf(outcomes);
    }

    /** Adds the batch to a request. */
    void putInto(ObjectNode body) {
        body.put("batch_id", id);
        ArrayNode array = body.putArray("outcomes");
        for (Outcome outcome : outcomes) {
            ObjectNode json = array.addObject();
            json.put("result", outcome.result().wireName());
            json.put("occurred_at", outcome.occurredAt().toString());
            if (outcome.result() == OutcomeResult.FAILURE) {
                json.put("error_type", outcome.errorType().wireName());
            }
            if (outcome.hasLatency()) {
                json.put("latency_ms", outcome.latencyMs());
            }
            if (outcome.slaBreached()) {
                json.put("sla_breached", true);
            }
        }
    }
}
