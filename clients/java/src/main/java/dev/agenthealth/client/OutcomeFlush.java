package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Sends outcomes without a heartbeat: those that are too many for one, and those that are left at the end. */
final class OutcomeFlush {

    private OutcomeFlush() {}

    /** Sends what waits, until nothing is left or a request fails; what was not answered stays in the queue. */
    static void flush(Api api, String agentId, OutcomeQueue outcomes) {
        Optional<OutcomeQueue.Batch> batch = outcomes.take();
        while (batch.isPresent()) {
            if (!send(api, agentId, outcomes, batch.get())) {
                return;
            }
            batch = outcomes.take();
        }
    }

    private static boolean send(Api api, String agentId, OutcomeQueue outcomes, OutcomeQueue.Batch batch) {
        ObjectNode body = Json.object();
        batch.putInto(body);
        try {
            api.sendOnce(Call.post("/api/v1/agents")
                    .segment(agentId)
                    .path("/outcomes")
                    .body(body));
            outcomes.counted();
            return true;
        } catch (ProblemException e) {
            boolean forGood = e.status() == 400 || e.status() == 422;
            if (forGood) {
                outcomes.refused();
            } else {
                outcomes.unanswered();
            }
            return forGood;
        } catch (RuntimeException e) {
            outcomes.unanswered();
            return false;
        }
    }
}
