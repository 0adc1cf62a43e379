package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import java.util.Locale;

/** A request is answered with an error of JSON-RPC. */
public final class A2aError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public static final int PARSE_ERROR = -32_700;
    public static final int INVALID_REQUEST = -32_600;
    public static final int METHOD_NOT_FOUND = -32_601;
    public static final int INVALID_PARAMS = -32_602;
    public static final int TASK_NOT_FOUND = -32_001;
    public static final int PUSH_NOT_SUPPORTED = -32_003;
    public static final int UNSUPPORTED_OPERATION = -32_004;
    public static final int CONTENT_TYPE_NOT_SUPPORTED = -32_005;
    public static final int INVALID_AGENT_RESPONSE = -32_006;
    public static final int EXTENDED_CARD_NOT_CONFIGURED = -32_007;
    public static final int VERSION_NOT_SUPPORTED = -32_009;

    /** The gateway refused the call, or it failed on its way. JSON-RPC leaves this code to servers, and A2A does not use it. */
    public static final int NOT_CALLED = -32_000;

    private final transient JsonNode error;

    private A2aError(JsonNode error) {
        super(error.path("message").asText(), null, false, false);
        this.error = error;
    }

    /** An error of the registry, with the reason as A2A 1.0 shows it. */
    public static A2aError of(int code, String message, String reason) {
        return of(code, message, reason, Json.object());
    }

    /**
     * An error of the registry.
     *
     * @param reason a stable code, such as {@code agent_blocked}
     * @param metadata texts by name, such as the id of a receipt
     */
    public static A2aError of(int code, String message, String reason, ObjectNode metadata) {
        ObjectNode error = Json.object().put("code", code).put("message", message);
        ObjectNode info = error.putArray("data").addObject();
        info.put("@type", "type.googleapis.com/google.rpc.ErrorInfo");
        info.put("reason", reason.toUpperCase(Locale.ROOT)).put("domain", "agent-health");
        if (!metadata.isEmpty()) {
            info.set("metadata", metadata);
        }
        return new A2aError(error);
    }

    /** The agent's own error, passed on. */
    public static A2aError ofAgent(JsonNode error) {
        return new A2aError(error);
    }

    /** The response to the request with this id. */
    public ObjectNode response(JsonNode id) {
        ObjectNode json = Json.object().put("jsonrpc", "2.0");
        json.set("id", id.isMissingNode() ? NullNode.getInstance() : id);
        json.set("error", error);
        return json;
    }
}
