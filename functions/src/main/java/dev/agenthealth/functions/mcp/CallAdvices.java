package dev.agenthealth.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.health.CallAdvice;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * The tool that advises whether to call an agent. Callers that may see the agent get its verdict and reputation; all others its public
 * health. Thread-safe.
 */
final class CallAdvices {

    /** Every key may read the public health of every agent. */
    static final String DOCUMENT = "GET /agents/{agent_id}/.well-known/agent-health";

    private static final String TRUST = "GET /v1/trust/agents/{agent_id}";
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final ApiCalls api;

    CallAdvices(ApiCalls api) {
        this.api = api;
    }

    /**
     * The advice.
     *
     * @throws Problem 404 for an unknown agent
     */
    ObjectNode advise(ToolCall call) {
        String agentId = call.agentId();
        ObjectNode answer = Json.object().put("agent_id", agentId);
        ArrayNode reasons = Json.object().putArray("reasons");
        Optional<Problem> refusal = api.refusal(agentId);
        CallAdvice advice = CallAdvice.PROCEED;
        if (refusal.isPresent()) {
            if (refusal.get().status() == NOT_FOUND) {
                throw refusal.get();
            }
            advice = CallAdvice.AVOID;
            reasons.add(refusal.get().detail());
        } else {
            advice = visible(call, agentId, answer, reasons).orElseGet(() -> ofPublic(call, agentId, reasons));
        }
        if (reasons.isEmpty()) {
            reasons.add("Nothing is known against it.");
        }
        answer.put("advice", advice.wireName());
        answer.set("reasons", reasons);
        return answer;
    }

    /** The advice by verdict and reputation; empty where the caller may not see them. */
    private Optional<CallAdvice> visible(ToolCall call, String agentId, ObjectNode answer, ArrayNode reasons) {
        JsonNode score;
        try {
            score = api.ofAgent(call.http(), ReadingTools.SCORE, agentId);
        } catch (Problem e) {
            if (e.status() == FORBIDDEN) {
                return Optional.empty();
            }
            throw e;
        }
        BigDecimal reputation = api.ofAgent(call.http(), TRUST, agentId)
                .path("reputation_score")
                .decimalValue();
        String verdict = score.path("verdict").asText();
        answer.put("verdict", verdict).put("reputation", reputation);
        reasons.addAll((ArrayNode) score.path("reasons"));
        CallAdvice ofReputation = CallAdvice.ofReputation(reputation);
        if (ofReputation != CallAdvice.PROCEED) {
            reasons.add("Its reputation " + reputation.toPlainString()
                    + " is below 0.5, that of an agent without evidence: too many calls through the gateway failed.");
        }
        return Verdict.ofWireName(verdict).map(CallAdvice::of).map(ofReputation::or);
    }

    private CallAdvice ofPublic(ToolCall call, String agentId, ArrayNode reasons) {
        String status = api.ofAgent(call.http(), DOCUMENT, agentId)
                .path("health")
                .path("status")
                .asText();
        reasons.add("Its public health status is " + status + ". Your key does not see more of it.");
        return HealthStatus.ofWireName(status).map(CallAdvice::of).orElse(CallAdvice.CAUTION);
    }
}
