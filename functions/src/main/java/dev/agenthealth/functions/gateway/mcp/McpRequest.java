package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request of an MCP client. Clients of 2026-07-28 state their version in each request, in {@code _meta} and in headers. Clients of older versions
 * agree on a version by {@code initialize}, which stores nothing.
 *
 * @param method the method, such as {@code tools/call}
 * @param params the parameters; may be empty
 * @param modern whether the client uses 2026-07-28
 * @param http the HTTP request
 */
record McpRequest(String method, ObjectNode params, boolean modern, ApiRequest http) {

    static final String MODERN = "2026-07-28";
    static final List<String> OLDER = List.of("2025-11-25", "2025-06-18", "2025-03-26");

    static final String INITIALIZE = "initialize";
    static final String META = "_meta";
    static final String NAMESPACE = "io.modelcontextprotocol/";

    private static final String VERSION = NAMESPACE + "protocolVersion";
    private static final String CAPABILITIES = NAMESPACE + "clientCapabilities";
    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";

    /** The parameter that the header {@code Mcp-Name} repeats, by method. */
    private static final Map<String, String> NAMED = Map.of(
            "tools/call",
            "name",
            "resources/read",
            "uri",
            "prompts/get",
            "name",
            "tasks/get",
            McpTasks.TASK_ID,
            "tasks/update",
            McpTasks.TASK_ID,
            "tasks/cancel",
            McpTasks.TASK_ID);

    /**
     * Returns the JSON of a body.
     *
     * @throws McpError if it is not a single JSON-RPC message
     */
    static JsonNode json(String body) {
        JsonNode json;
        try {
            json = Json.received(body);
        } catch (UnreadableJsonException e) {
            throw McpError.malformed(McpError.PARSE_ERROR, "The body " + e.getMessage() + ".");
        }
        if (json.isMissingNode()) {
            throw McpError.malformed(McpError.PARSE_ERROR, "The body is empty.");
        }
        if (json.isArray()) {
            throw McpError.malformed(McpError.INVALID_REQUEST, "Send one message in a body; batches are not taken.");
        }
        boolean isMessage = json.path("jsonrpc").asText().equals("2.0")
                && json.path("method").isTextual();
        if (!isMessage) {
            throw McpError.malformed(McpError.INVALID_REQUEST, "The body is not a request of JSON-RPC 2.0.");
        }
        return json;
    }

    /** Returns the id of a message; a missing node without a valid id. */
    static JsonNode id(JsonNode json) {
        JsonNode id = json.path("id");
        return id.isTextual() || id.isIntegralNumber() ? id : MissingNode.getInstance();
    }

    /**
     * Returns the request of a message with an id.
     *
     * @throws McpError if headers and body contradict each other, or the version is not supported
     */
    static McpRequest of(JsonNode json, ApiRequest http) {
        String method = json.path("method").textValue();
        JsonNode params = json.path("params");
        if (!params.isMissingNode() && !params.isObject()) {
            throw McpError.malformed(McpError.INVALID_PARAMS, "params must be an object.");
        }
        ObjectNode given = params.isObject() ? (ObjectNode) params : Json.object();
        JsonNode declared = given.path(META).path(VERSION);
        String header = http.header("mcp-protocol-version");
        if (declared.isMissingNode()) {
            return ofOlder(method, given, header, http);
        }
        if (!declared.isTextual()) {
            throw McpError.malformed(McpError.INVALID_PARAMS, VERSION + " must be a text.");
        }
        String version = declared.textValue();
        requireSame(VERSION_HEADER, header, version);
        requireSupported(version);
        McpRequest request = new McpRequest(method, given, version.equals(MODERN), http);
        if (request.modern()) {
            request.check();
        }
        return request;
    }

    private static McpRequest ofOlder(String method, ObjectNode params, String header, ApiRequest http) {
        if (!method.equals(INITIALIZE) && !header.isEmpty()) {
            requireSupported(header);
            if (header.equals(MODERN)) {
                throw McpError.malformed(
                        McpError.INVALID_PARAMS, "params._meta must have " + VERSION + " and " + CAPABILITIES + ".");
            }
        }
        return new McpRequest(method, params, false, http);
    }

    private void check() {
        requireSame("Mcp-Method", http.header("mcp-method"), method);
        if (!params.path(META).path(CAPABILITIES).isObject()) {
            throw McpError.malformed(McpError.INVALID_PARAMS, "params._meta must have " + CAPABILITIES + ".");
        }
        if (NAMED.containsKey(method)) {
            requireSame("Mcp-Name", decoded(http.header("mcp-name")), text(NAMED.get(method)));
        }
    }

    /** Returns whether a client of 2026-07-28 declares an extension in this request. */
    boolean declares(String extension) {
        return modern
                && params.path(META)
                        .path(CAPABILITIES)
                        .path("extensions")
                        .path(extension)
                        .isObject();
    }

    /** Returns whether the client agreed on the latest version that begins with {@code initialize}. */
    boolean isLatestOlder() {
        return !modern && http.header(VERSION_HEADER.toLowerCase(Locale.ROOT)).equals(OLDER.get(0));
    }

    /**
     * Returns a parameter that must be a text.
     *
     * @throws McpError if it is no text
     */
    String text(String name) {
        if (!params.path(name).isTextual()) {
            throw McpError.malformed(McpError.INVALID_PARAMS, "params." + name + " must be a text.");
        }
        return params.path(name).textValue();
    }

    private static void requireSupported(String version) {
        if (!version.equals(MODERN) && !OLDER.contains(version)) {
            ObjectNode data = Json.object();
            ArrayNode supported = data.putArray("supported").add(MODERN);
            OLDER.forEach(supported::add);
            data.put("requested", McpError.shown(version));
            throw McpError.of(400, McpError.UNSUPPORTED_VERSION, "Unsupported protocol version", data);
        }
    }

    private static void requireSame(String header, String sent, String inBody) {
        if (!sent.equals(inBody)) {
            String what = sent.isEmpty() ? "is missing" : "'" + McpError.shown(sent) + "' does not match the body";
            throw McpError.malformed(
                    McpError.HEADER_MISMATCH,
                    "Header mismatch: " + header + " " + what + ", which has '" + McpError.shown(inBody) + "'.");
        }
    }

    /** Returns the value of a header. Values that do not fit into a header are sent in Base64. */
    private static String decoded(String header) {
        if (!header.startsWith(ENCODED) || !header.endsWith(ENCODED_END)) {
            return header;
        }
        String encoded = header.substring(ENCODED.length(), Math.max(ENCODED.length(), header.length() - 2));
        try {
            return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw McpError.malformed(McpError.HEADER_MISMATCH, "Header mismatch: Mcp-Name is not valid Base64.");
        }
    }
}
