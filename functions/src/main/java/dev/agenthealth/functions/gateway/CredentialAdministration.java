package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.gateway.CredentialStore.StoredCredential;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** Sets, describes and removes the credentials of agents: {@code /v1/agents/{agent_id}/credential}. No response contains a token. Thread-safe. */
final class CredentialAdministration {

    private static final String TOKEN = "bearer_token";
    private static final int MAX_TOKEN = 8_192;

    /** The form of RFC 6750 §2.1. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final AgentCredentials credentials;
    private final AgentAccess access;
    private final Log log;

    CredentialAdministration(AgentCredentials credentials, AgentAccess access, Log log) {
        this.credentials = credentials;
        this.access = access;
        this.log = log;
    }

    /**
     * Sets the credential for the agent's endpoint.
     *
     * @throws ApiError 404 or 403 if the caller may not set it, 400 for an invalid body, 409 if the agent declares no endpoint, 503 if it cannot be
     *     encrypted now
     */
    ApiResponse set(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        StoredAgent first = access.findOwned(request.caller(), agentId);
        Fields body = request.fields();
        body.require(TOKEN);
        String token = body.text(TOKEN, MAX_TOKEN);
        if (!token.isEmpty() && !FORM.matcher(token).matches()) {
            body.refuse(TOKEN, "must be a bearer token: letters, digits and - . _ ~ + /, and = at the end");
        }
        body.refuseUnknown();
        body.check();
        return OptimisticUpdates.untilPresent(first, () -> access.findOwned(request.caller(), agentId), seen -> {
            AgentProfile agent = seen.profile();
            String endpoint = agent.agentInterface().endpoint();
            if (endpoint.isEmpty()) {
                throw ApiError.conflict(
                        "agent_has_no_endpoint", "The agent declares no endpoint to which it could be sent.");
            }
            return encrypted(request, seen, token).map(setAt -> ApiResponse.json(200, json(agent, endpoint, setAt)));
        });
    }

    /**
     * Shows the endpoint of the credential, the time at which it was set, and whether calls send it.
     *
     * @throws ApiError 404 or 403 if the caller may not see it, 404 if the agent has none
     */
    ApiResponse show(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        AgentProfile agent = access.findOwned(request.caller(), agentId).profile();
        StoredCredential found = credentials
                .find(agentId)
                .orElseThrow(
                        () -> ApiError.notFound("credential_not_found", "Agent '" + agentId + "' has no credential."));
        return ApiResponse.json(200, json(agent, found.endpoint(), found.setAt()));
    }

    private static ObjectNode json(AgentProfile agent, String endpoint, Instant setAt) {
        return Json.object()
                .put("agent_id", agent.agentId())
                .put("type", "bearer")
                .put("endpoint", endpoint)
                .put("set_at", Timestamps.text(setAt))
                .put("sent", endpoint.equals(agent.agentInterface().endpoint()));
    }

    private Optional<Instant> encrypted(ApiRequest request, StoredAgent seen, String token) {
        try {
            return credentials.set(request.author(), seen, token);
        } catch (ApiError e) {
            throw e;
        } catch (RuntimeException e) {
            log.failure("agent_credential_not_set", request.requestId(), e);
            throw ApiError.busy();
        }
    }

    /**
     * Removes the credential. Without one, it does nothing.
     *
     * @throws ApiError 404 or 403 if the caller may not remove it
     */
    ApiResponse remove(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        OptimisticUpdates.untilDone(
                () -> credentials.remove(request.author(), access.findOwned(request.caller(), agentId)));
        return ApiResponse.noContent();
    }
}
