package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.profile.A2aVersion;
import java.util.Map;

/**
 * A JSON-RPC request to an agent.
 *
 * @param id the JSON-RPC id, which the response repeats
 * @param headers the HTTP headers that the version requires
 * @param body JSON
 */
public record A2aRequest(String id, Map<String, String> headers, String body) {

    public A2aRequest {
        headers = Map.copyOf(headers);
    }

    /**
     * A request that sends a message and waits for the result: {@code message/send} of A2A 0.3, {@code SendMessage} of A2A 1.0.
     *
     * @param id the id of the request, and of a message without one; the same for every attempt
     */
    public static A2aRequest send(A2aVersion version, A2aMessage message, String id) {
        ObjectNode json = Json.object().put("jsonrpc", "2.0").put("id", id);
        json.put("method", method(version));
        ObjectNode params = json.putObject("params");
        params.set("message", message.json(version, id));
        return switch (version) {
            case V0_3 -> {
                params.putObject("configuration").put("blocking", true);
                yield new A2aRequest(id, Map.of(), Json.text(json));
            }
            // Version 1.0 waits by default. Without the header an agent assumes version 0.3.
            case V1_0 -> new A2aRequest(id, Map.of("A2A-Version", version.word()), Json.text(json));
        };
    }

    private static String method(A2aVersion version) {
        return switch (version) {
            case V0_3 -> "message/send";
            case V1_0 -> "SendMessage";
        };
    }
}
