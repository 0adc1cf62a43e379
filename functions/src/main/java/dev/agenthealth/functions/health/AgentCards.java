package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.EntityTag;
import dev.agenthealth.functions.http.Freshness;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.profile.AgentProfile;

/** Public agent cards, made from registrations (A2A; Agent Health State §5.1). Thread-safe. */
final class AgentCards {

    private final AgentStore agents;

    AgentCards(AgentStore agents) {
        this.agents = agents;
    }

    /**
     * The card in the layout of A2A 0.3.
     *
     * @throws Problem 404 for an unknown agent and for an agent without an endpoint, 410 for a deregistered agent
     */
    ApiResponse ofVersion03(ApiRequest request) {
        return answer(AgentCardJson.version03(profile(request), request.origin()), request);
    }

    /**
     * The card in the layout of A2A 1.0.
     *
     * @throws Problem as {@link #ofVersion03}
     */
    ApiResponse ofVersion1(ApiRequest request) {
        return answer(AgentCardJson.version1(profile(request), request.origin()), request);
    }

    private AgentProfile profile(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        StoredAgent agent = agents.find(agentId).orElseThrow(() -> Problem.unknownAgent(agentId));
        if (agent.pulse().status() == LifecycleStatus.DEREGISTERED) {
            throw Problem.deregistered(agentId);
        }
        if (agent.profile().endpoint().isEmpty()) {
            throw Problem.notFound(
                    "no_agent_card", "Agent '" + agentId + "' declares no endpoint, without which there is no card.");
        }
        return agent.profile();
    }

    private static ApiResponse answer(ObjectNode card, ApiRequest request) {
        return ApiResponse.cacheable(request, card, EntityTag.of(Json.text(card)), Freshness.SHARED);
    }
}
