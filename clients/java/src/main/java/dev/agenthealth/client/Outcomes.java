package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Reports the outcomes of executions, for coordinators that use agents. Agents use {@link ManagedAgent#record}. Thread-safe. */
public final class Outcomes {

    private final Api api;

    Outcomes(Api api) {
        this.api = api;
    }

    /**
     * Reports up to 500 executions of an agent. A batch counts once, even if it is sent several times.
     *
     * @param batchId unique for the agent and the key
     * @return true if the batch was counted earlier
     * @throws ProblemException 422 {@code batch_id_reused} if the id belongs to other outcomes
     */
    public boolean report(String agentId, String batchId, List<Outcome> outcomes) {
        ObjectNode body = Json.object().put("batch_id", batchId);
        ArrayNode array = body.putArray("outcomes");
        outcomes.forEach(outcome -> array.add(outcome.json()));
        Call call = Call.post("/api/v1/agents").segment(agentId).path("/outcomes");
        return api.send(call.body(body)).path("duplicate").asBoolean();
    }
}
