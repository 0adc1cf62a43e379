package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.PresentedCredential;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import java.util.Optional;
import java.util.function.Supplier;

/** Receives heartbeats of single agents, with or without outcomes. Thread-safe. */
public final class Heartbeats {

    private final HeartbeatReception reception;
    private final HeartbeatOutcomes outcomes;
    private final Authenticator authenticator;

    Heartbeats(HeartbeatReception reception, HeartbeatOutcomes outcomes, Authenticator authenticator) {
        this.reception = reception;
        this.outcomes = outcomes;
        this.authenticator = authenticator;
    }

    /**
     * Receives a heartbeat.
     *
     * @param key the sender's key or token; it is looked up only if it is not the agent's credential
     * @param id returns the id of the agent
     * @param fields reads the body; empty if there is no body
     * @return the acknowledgement
     * @throws ApiError 401 and 403 for another key than the agent's; 400 as {@link HeartbeatFields}; 404 and 410 if the agent must register
     */
    public ObjectNode receive(PresentedCredential key, Supplier<String> id, Supplier<Optional<Fields>> fields) {
        String agentId = read(key, id);
        Optional<Fields> given = read(key, fields);
        if (given.isEmpty()) {
            return reception.receive(agentId, key, Heartbeat.BARE, agentId).json();
        }
        Fields body = given.get();
        HeartbeatFields heartbeat = read(key, () -> HeartbeatFields.read(body));
        ObjectNode answer = heartbeat.answer(received(agentId, key, heartbeat.heartbeat(), body));
        outcomes.take(agentId, body).ifPresent(report -> report.putInto(answer.putObject(HeartbeatOutcomes.OUTCOMES)));
        return answer;
    }

    /**
     * Returns the fields of a heartbeat; empty if there is no body.
     *
     * @throws ApiError 400 if there is a body that is not a JSON object
     */
    public static Optional<Fields> fields(ApiRequest request) {
        return HeartbeatBody.one(request);
    }

    private Acknowledgement received(String agentId, PresentedCredential key, Heartbeat heartbeat, Fields body) {
        try {
            return reception.receive(agentId, key, heartbeat, agentId);
        } catch (ApiError refused) {
            // The executions of a replaced process happened, so they count.
            throw refused.error().equals(AgentError.SUPERSEDED)
                    ? outcomes.take(agentId, body)
                            .map(report -> refused.with(HeartbeatOutcomes.OUTCOMES, report.json()))
                            .orElse(refused)
                    : refused;
        }
    }

    /**
     * Reads a part of the request. If both the part and the key are invalid, the answer is 401, so that an invalid key gets no other
     * information.
     */
    <T> T read(PresentedCredential key, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (ApiError invalid) {
            authenticator.caller(key, KeyAction.HEARTBEAT);
            throw invalid;
        }
    }
}
