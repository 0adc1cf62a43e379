package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** An A2A error as the response to a request, in the form of the caller's binding. */
public final class A2aError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public static final int PARSE_ERROR = -32_700;
    public static final int INVALID_REQUEST = -32_600;
    public static final int METHOD_NOT_FOUND = -32_601;
    public static final int INVALID_PARAMS = -32_602;
    public static final int TASK_NOT_FOUND = -32_001;
    static final int INTERNAL_ERROR = -32_603;
    static final int TASK_NOT_CANCELABLE = -32_002;
    public static final int PUSH_NOT_SUPPORTED = -32_003;
    public static final int UNSUPPORTED_OPERATION = -32_004;
    public static final int CONTENT_TYPE_NOT_SUPPORTED = -32_005;
    public static final int INVALID_AGENT_RESPONSE = -32_006;
    public static final int EXTENDED_CARD_NOT_CONFIGURED = -32_007;
    private static final int EXTENSION_REQUIRED = -32_008;
    public static final int VERSION_NOT_SUPPORTED = -32_009;

    /** The code for a call that the gateway refused, or that failed on its way. JSON-RPC leaves this code to servers, and A2A does not use it. */
    public static final int NOT_CALLED = -32_000;

    private static final String DOMAIN = "agent-health";
    private static final String INVALID_ARGUMENT = "INVALID_ARGUMENT";
    private static final String FAILED_PRECONDITION = "FAILED_PRECONDITION";
    private static final String NOT_FOUND = "NOT_FOUND";
    private static final String MESSAGE = "message";

    /** The meanings of the codes in HTTP+JSON. An agent's error is no failure of the registry, so that it is not answered with 500. */
    private static final Map<Integer, Meaning> MEANINGS = Map.ofEntries(
            Map.entry(PARSE_ERROR, new Meaning(400, INVALID_ARGUMENT, "INVALID_REQUEST")),
            Map.entry(INVALID_REQUEST, new Meaning(400, INVALID_ARGUMENT, "INVALID_REQUEST")),
            Map.entry(INVALID_PARAMS, new Meaning(400, INVALID_ARGUMENT, "INVALID_PARAMS")),
            Map.entry(METHOD_NOT_FOUND, new Meaning(404, NOT_FOUND, "METHOD_NOT_FOUND")),
            Map.entry(TASK_NOT_FOUND, new Meaning(404, NOT_FOUND, "TASK_NOT_FOUND")),
            Map.entry(TASK_NOT_CANCELABLE, new Meaning(400, FAILED_PRECONDITION, "TASK_NOT_CANCELABLE")),
            Map.entry(PUSH_NOT_SUPPORTED, new Meaning(400, FAILED_PRECONDITION, "PUSH_NOTIFICATION_NOT_SUPPORTED")),
            Map.entry(UNSUPPORTED_OPERATION, new Meaning(400, FAILED_PRECONDITION, "UNSUPPORTED_OPERATION")),
            Map.entry(CONTENT_TYPE_NOT_SUPPORTED, new Meaning(400, INVALID_ARGUMENT, "CONTENT_TYPE_NOT_SUPPORTED")),
            Map.entry(INVALID_AGENT_RESPONSE, new Meaning(502, "INTERNAL", "INVALID_AGENT_RESPONSE")),
            Map.entry(
                    EXTENDED_CARD_NOT_CONFIGURED,
                    new Meaning(400, FAILED_PRECONDITION, "EXTENDED_AGENT_CARD_NOT_CONFIGURED")),
            Map.entry(EXTENSION_REQUIRED, new Meaning(400, FAILED_PRECONDITION, "EXTENSION_SUPPORT_REQUIRED")),
            Map.entry(VERSION_NOT_SUPPORTED, new Meaning(400, FAILED_PRECONDITION, "VERSION_NOT_SUPPORTED")));

    /**
     * The meaning of a code.
     *
     * @param status the HTTP status
     * @param name the name of the status in gRPC
     * @param reason the reason in the specification
     */
    private record Meaning(int status, String name, String reason) {}

    private final transient JsonNode error;
    private final int status;

    private A2aError(JsonNode error, int status) {
        super(error.path(MESSAGE).asText(), null, false, false);
        this.error = error;
        this.status = status;
    }

    /** Returns an error of the registry, with the reason that A2A 1.0 shows. */
    public static A2aError of(int code, String message, String reason) {
        return of(code, message, reason, Json.object());
    }

    /**
     * Returns an error of the registry.
     *
     * @param reason a stable code, such as {@code agent_blocked}
     * @param metadata texts by name, such as the id of a receipt
     */
    public static A2aError of(int code, String message, String reason, ObjectNode metadata) {
        ObjectNode error = Json.object().put("code", code).put(MESSAGE, message);
        error.putArray("data").add(info(reason.toUpperCase(Locale.ROOT), DOMAIN, metadata));
        return new A2aError(error, statusOf(code));
    }

    private static ObjectNode info(String reason, String domain, ObjectNode metadata) {
        ObjectNode info = Json.object();
        info.put("@type", "type.googleapis.com/google.rpc.ErrorInfo");
        info.put("reason", reason).put("domain", domain);
        if (!metadata.isEmpty()) {
            info.set("metadata", metadata);
        }
        return info;
    }

    /** Returns the code for a reason of the specification; empty if A2A has no such reason. */
    static OptionalInt code(String reason) {
        return reason.equals("INTERNAL_ERROR")
                ? OptionalInt.of(INTERNAL_ERROR)
                : MEANINGS.entrySet().stream()
                        .filter(meaning -> meaning.getValue().reason().equals(reason))
                        .mapToInt(Map.Entry::getKey)
                        .max();
    }

    private static int statusOf(int code) {
        Meaning meaning = MEANINGS.get(code);
        return meaning == null ? 502 : meaning.status();
    }

    /** Returns an error of the agent, which is passed on. */
    public static A2aError ofAgent(JsonNode error) {
        return new A2aError(error, statusOf(error.path("code").asInt()));
    }

    /** Returns this error with the HTTP status of other routes of the gateway. */
    public A2aError withStatus(int other) {
        return new A2aError(error, other);
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the JSON-RPC error. */
    JsonNode rpc() {
        return error;
    }

    /** Returns the HTTP+JSON error. It has the reason of A2A if there is one. Its metadata have the details from the registry or the agent. */
    JsonNode http() {
        JsonNode own = error.path("data").path(0);
        boolean registry = own.path("domain").asText().equals(DOMAIN);
        ObjectNode metadata = registry && own.path("metadata").isObject()
                ? own.path("metadata").deepCopy()
                : Json.object();
        if (!registry && error.has("data")) {
            metadata.put("data", Json.text(error.path("data")));
        }
        String reason = own.path("reason").asText();
        Meaning meaning = MEANINGS.get(error.path("code").asInt());
        ObjectNode http = Json.object().put("code", status);
        http.put("status", meaning == null ? name(status) : meaning.name()).put(MESSAGE, getMessage());
        if (meaning != null) {
            if (registry && !reason.equals(meaning.reason())) {
                metadata.put("error", reason.toLowerCase(Locale.ROOT));
            }
            http.putArray("details").add(info(meaning.reason(), "a2a-protocol.org", metadata));
        } else if (registry) {
            http.putArray("details").add(info(reason, DOMAIN, metadata));
        } else {
            metadata.put("code", error.path("code").asText());
            http.putArray("details").add(info("AGENT_ERROR", DOMAIN, metadata));
        }
        return http;
    }

    private static String name(int status) {
        return switch (status) {
            case 403 -> "PERMISSION_DENIED";
            case 404 -> NOT_FOUND;
            case 409 -> FAILED_PRECONDITION;
            case 504 -> "DEADLINE_EXCEEDED";
            default -> "UNAVAILABLE";
        };
    }
}
