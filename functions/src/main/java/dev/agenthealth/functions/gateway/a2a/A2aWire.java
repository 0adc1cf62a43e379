package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.registry.profile.A2aBinding;
import java.util.Map;

/** A request as the agent's binding writes it in HTTP, and reads its answer. */
public sealed interface A2aWire permits A2aRequest, A2aHttpRequest {

    /** Returns the request in a binding. */
    static A2aWire of(A2aRequest request, A2aBinding binding) {
        return switch (binding) {
            case JSON_RPC -> request;
            case HTTP_JSON -> new A2aHttpRequest(request);
        };
    }

    /**
     * Where it is sent.
     *
     * @param base the endpoint of the agent
     * @throws A2aError if the binding cannot name what is asked for
     */
    Endpoint endpoint(Endpoint base);

    /** Its method, headers and body. */
    HttpQuestion question(Map<String, String> headers);

    /**
     * Returns the result in a successful response or an event of a stream, as JSON-RPC has it.
     *
     * @throws CallFailedException if there is none, or a task of a sent message failed
     */
    JsonNode read(byte[] response);

    /** Returns what a failed call means: the error of A2A that a response with another status is, else the failure itself. */
    CallFailedException failure(CallFailedException failed);
}
