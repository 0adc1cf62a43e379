package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.Map;

/** A request to an agent in the form of a binding. It also reads the response. */
public sealed interface A2aWire permits A2aRequest, A2aHttpRequest {

    /** Returns a request in the form of a protocol. A request of version 0.3 names no tenant. */
    static A2aWire of(A2aRequest request, A2aProtocol protocol) {
        String tenant = request.version() == A2aVersion.V0_3 ? "" : protocol.tenant();
        return switch (protocol.binding()) {
            case JSON_RPC -> request.of(tenant);
            case HTTP_JSON -> new A2aHttpRequest(request, tenant);
        };
    }

    /**
     * Returns the endpoint of this request.
     *
     * @param base the endpoint of the agent
     * @throws A2aError if the binding has no path for this request
     */
    Endpoint endpoint(Endpoint base);

    /** Returns the method, headers and body of this request. */
    HttpQuestion question(Map<String, String> headers);

    /**
     * Returns the result in a successful response or in an event of a stream, in the form of JSON-RPC.
     *
     * @throws CallFailedException if there is no result, or the task of a sent message failed
     */
    JsonNode read(byte[] response);

    /** Returns the meaning of a failed call: the A2A error in a response without success, else the failure itself. */
    CallFailedException failure(CallFailedException failed);
}
