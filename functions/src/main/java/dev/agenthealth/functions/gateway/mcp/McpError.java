package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;

/** A JSON-RPC error as the response to a request. */
final class McpError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final int PARSE_ERROR = -32_700;
    static final int INVALID_REQUEST = -32_600;
    static final int METHOD_NOT_FOUND = -32_601;
    static final int INVALID_PARAMS = -32_602;
    static final int INTERNAL_ERROR = -32_603;
    static final int MISSING_CAPABILITY = -32_021;
    static final int HEADER_MISMATCH = -32_020;
    static final int UNSUPPORTED_VERSION = -32_022;

    /** The code for an unknown resource in versions before 2026-07-28. */
    static final int RESOURCE_NOT_FOUND = -32_002;

    private static final int MAX_SHOWN = 100;

    private final int status;
    private final int code;
    private final transient ObjectNode data;

    private McpError(int status, int code, String message, ObjectNode data) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.data = data;
    }

    /** Returns an error in the message itself, with the HTTP status 400. */
    static McpError malformed(int code, String message) {
        return new McpError(400, code, message, Json.object());
    }

    /** Returns an error in the content of a well-formed message, with the HTTP status 200. */
    static McpError of(int code, String message) {
        return new McpError(200, code, message, Json.object());
    }

    /** Returns an error with another HTTP status and data for the client. */
    static McpError of(int status, int code, String message, ObjectNode data) {
        return new McpError(status, code, message, data);
    }

    /** Returns a text of the client in the form in which errors repeat it. */
    static String shown(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) : text;
    }

    /** Returns the response to the request with this id; missing if it could not be read. */
    ApiResponse response(JsonNode id) {
        ObjectNode json = Json.object().put("jsonrpc", "2.0");
        if (!id.isMissingNode()) {
            json.set("id", id);
        }
        ObjectNode error = json.putObject("error").put("code", code).put("message", getMessage());
        if (!data.isEmpty()) {
            error.set("data", data);
        }
        return ApiResponse.json(status, json);
    }
}
