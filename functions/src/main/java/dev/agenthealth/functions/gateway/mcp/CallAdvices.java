package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.SyncInvocations;
import dev.agenthealth.functions.health.AgentScore;
import dev.agenthealth.functions.health.HealthReadings;
import dev.agenthealth.functions.health.Scores;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.model.health.CallAdvice;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.identity.Caller;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tool that advises whether to call an agent. If the caller may see the agent, the advice includes verdict and reputation. Otherwise it
 * includes the public health. Thread-safe.
 */
final class CallAdvices {

    private static final int NOT_FOUND = 404;

    private final SyncInvocations invocations;
    private final Scores scores;
    private final HealthReadings readings;
    private final TrackRecordStore trackRecords;
    private final Clock clock;

    CallAdvices(Database database, Clock clock, Scores scores, SyncInvocations invocations) {
        this.invocations = invocations;
        this.scores = scores;
        this.readings = new HealthReadings(database, clock);
        this.trackRecords = new TrackRecordStore(database, Runnable::run);
        this.clock = clock;
    }

    /**
     * Returns the advice.
     *
     * @throws ApiError 404 for an unknown agent
     */
    ObjectNode advise(ToolCall call) {
        String agentId = call.onlyAgentId();
        ObjectNode answer = Json.object().put("agent_id", agentId);
        List<String> reasons = new ArrayList<>();
        CallAdvice advice = advice(call.caller(), agentId, answer, reasons);
        if (reasons.isEmpty()) {
            reasons.add("Nothing is known against it.");
        }
        answer.put("advice", advice.wireName());
        reasons.forEach(answer.putArray("reasons")::add);
        return answer;
    }

    private CallAdvice advice(Caller caller, String agentId, ObjectNode answer, List<String> reasons) {
        Optional<ApiError> refusal = invocations.refusal(agentId);
        if (refusal.isPresent()) {
            if (refusal.get().status() == NOT_FOUND) {
                throw refusal.get();
            }
            reasons.add(refusal.get().detail());
            return CallAdvice.AVOID;
        }
        StoredAgent agent = readings.agent(agentId);
        return caller.mayActOn(agent.pulse().owner(), agent.profile().roleId())
                ? ofVerdict(caller, agentId, answer, reasons)
                : ofPublic(agent, reasons);
    }

    private CallAdvice ofVerdict(Caller caller, String agentId, ObjectNode answer, List<String> reasons) {
        AgentScore score = scores.current(caller, agentId);
        OfAgent subject = new OfAgent(agentId);
        BigDecimal reputation = trackRecords
                .of(List.of(subject))
                .get(subject)
                .evidence()
                .at(clock.instant())
                .reputation();
        answer.put("verdict", score.facts().verdict().wireName()).put("reputation", reputation);
        reasons.addAll(score.reasons());
        CallAdvice ofReputation = CallAdvice.ofReputation(reputation);
        if (ofReputation != CallAdvice.PROCEED) {
            reasons.add("Its reputation " + reputation.toPlainString()
                    + " is below 0.5, that of an agent without evidence: too many calls through the gateway failed.");
        }
        return ofReputation.or(CallAdvice.of(score.facts().verdict()));
    }

    private CallAdvice ofPublic(StoredAgent agent, List<String> reasons) {
        HealthStatus status = readings.publicStatus(agent);
        reasons.add("Its public health status is " + status.wireName() + ". Your key does not see more of it.");
        return CallAdvice.of(status);
    }
}
