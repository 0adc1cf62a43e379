package dev.agenthealth.functions.sweep.probes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.ForeignJson;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpAnswer;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Asks an MCP server for its tools. An instance serves one probe.
 *
 * <p>Protocol versions up to 2025-11-25 begin with a handshake; 2026-07-28 has none. The probe ends the session that a handshake began.
 */
final class McpProbe {

    /** The version that most servers support. A server with another version answers with its own. */
    private static final String HANDSHAKE_VERSION = "2025-06-18";

    private static final String STATELESS_VERSION = "2026-07-28";

    private static final String META = "io.modelcontextprotocol/";

    /** The JSON-RPC errors of servers without a handshake: unsupported version and unknown method. */
    private static final Set<Integer> NO_HANDSHAKE = Set.of(-32022, -32601);

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    /** The maximum number of pages of the list of tools. */
    private static final int MAX_PAGES = 20;

    /** The maximum length of all pages. Many probes wait for their servers at once, and each holds the pages that it has. */
    private static final int MAX_LENGTH = 512 * 1_024;

    private final Connection server;
    private final Map<String, String> session = new HashMap<>();

    /** The pages of the list of tools as texts, as their trees take many times the memory. */
    private Optional<List<String>> pages = Optional.empty();

    /** The connection to the server. */
    interface Connection {

        /** Posts a message. If the answer is a stream of server-sent events, returns the first event that {@code isAnswer} accepts. */
        HttpAnswer post(String message, Map<String, String> headers, Predicate<String> isAnswer);

        /** Returns whether messages carry a credential. */
        boolean hasCredential();

        /** Ends the session in the headers. */
        void delete(Map<String, String> headers);
    }

    McpProbe(Connection server) {
        this.server = server;
    }

    /** Returns why the server does not count as alive; empty if it does. */
    String failure() {
        ObjectNode parameters = Json.object().put("protocolVersion", HANDSHAKE_VERSION);
        parameters.putObject("capabilities");
        parameters.set("clientInfo", clientInfo());
        HttpAnswer begun = post("initialize", parameters, Map.of());
        if (demandsCredential(begun)) {
            return "";
        }
        if (begun.status() != OK || !ForeignJson.read(begun.text()).has("result")) {
            return isWithoutHandshake(begun) ? withoutHandshake() : refusal(begun, "no MCP server");
        }
        JsonNode result = ForeignJson.read(begun.text()).path("result");
        if (!result.path("protocolVersion").isTextual()) {
            return "no MCP server";
        }
        session.put("MCP-Protocol-Version", result.path("protocolVersion").asText());
        if (!begun.session().isEmpty()) {
            session.put("Mcp-Session-Id", begun.session());
        }
        ObjectNode initialized = Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized");
        server.post(initialized.toString(), session, McpProbe::isAnswer);
        return ofTools(result, Json.object(), session);
    }

    /** Ends the session, if there is one. Some servers never end a session by themselves. */
    void end() {
        if (session.containsKey("Mcp-Session-Id")) {
            server.delete(session);
        }
    }

    private String withoutHandshake() {
        ObjectNode parameters = Json.object();
        ObjectNode meta = parameters.putObject("_meta").put(META + "protocolVersion", STATELESS_VERSION);
        meta.set(META + "clientInfo", clientInfo());
        meta.putObject(META + "clientCapabilities");
        Map<String, String> version = Map.of("MCP-Protocol-Version", STATELESS_VERSION);
        HttpAnswer discovered = post("server/discover", parameters, version);
        JsonNode result = ForeignJson.read(discovered.text()).path("result");
        return discovered.status() == OK && result.path("supportedVersions").isArray()
                ? ofTools(result, parameters, version)
                : refusal(discovered, "no MCP server");
    }

    private String ofTools(JsonNode server, ObjectNode parameters, Map<String, String> headers) {
        if (!server.path("capabilities").has("tools")) {
            pages = Optional.of(List.of());
            return "";
        }
        HttpAnswer listed;
        try {
            listed = post("tools/list", parameters, headers);
        } catch (CallFailedException e) {
            if (e.reason() == InvocationFailure.TOO_LARGE) {
                return "";
            }
            throw e;
        }
        if (demandsCredential(listed)) {
            return "";
        }
        if (listed.status() != OK) {
            return refusal(listed, "") + " to tools/list";
        }
        if (!toolsOf(listed.text()).isArray()) {
            return "no list of tools";
        }
        try {
            pages = allOf(listed.text(), parameters, headers);
        } catch (CallFailedException | UnreadableJsonException e) {
            // The server is alive, but its tools were not seen.
        }
        return "";
    }

    /** Returns all pages; empty if they are too many or too long, or a page is missing. */
    private Optional<List<String>> allOf(String first, ObjectNode parameters, Map<String, String> headers) {
        List<String> found = new ArrayList<>();
        int length = 0;
        String page = first;
        while (found.size() < MAX_PAGES && length <= MAX_LENGTH && toolsOf(page).isArray()) {
            found.add(page);
            length += page.length();
            String next = cursorAfter(page);
            if (next.isEmpty()) {
                return Optional.of(found);
            }
            if (found.size() < MAX_PAGES && length <= MAX_LENGTH) {
                page = post("tools/list", parameters.deepCopy().put("cursor", next), headers)
                        .text();
            }
        }
        return Optional.empty();
    }

    private static JsonNode toolsOf(String page) {
        return ForeignJson.read(page).path("result").path("tools");
    }

    private static String cursorAfter(String page) {
        return ForeignJson.read(page).path("result").path("nextCursor").asText("");
    }

    /** Returns the tools of a server that counts as alive; empty if a page is missing. */
    Optional<List<JsonNode>> tools() {
        return pages.map(texts -> {
            List<JsonNode> tools = new ArrayList<>();
            texts.forEach(page -> toolsOf(page).forEach(tools::add));
            return tools;
        });
    }

    /**
     * Returns whether the server refuses a request without a credential as its protocol says (2025-06-18, Authorization). This server
     * counts as alive.
     */
    private boolean demandsCredential(HttpAnswer answer) {
        return answer.status() == UNAUTHORIZED && answer.challenges() && !server.hasCredential();
    }

    private static String refusal(HttpAnswer answer, String otherwise) {
        return answer.status() == OK ? otherwise : "HTTP " + answer.status();
    }

    private static boolean isWithoutHandshake(HttpAnswer answer) {
        try {
            return NO_HANDSHAKE.contains(
                    ForeignJson.read(answer.text()).path("error").path("code").asInt());
        } catch (UnreadableJsonException e) {
            return false;
        }
    }

    /** Returns whether a message is an answer. A server may send notifications and requests before it answers. */
    private static boolean isAnswer(String message) {
        try {
            JsonNode json = ForeignJson.read(message);
            return json.has("result") || json.has("error");
        } catch (UnreadableJsonException e) {
            return !message.isBlank();
        }
    }

    private HttpAnswer post(String method, ObjectNode parameters, Map<String, String> headers) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        if (!parameters.isEmpty()) {
            message.set("params", parameters);
        }
        Map<String, String> all = new HashMap<>(headers);
        all.put("Mcp-Method", method);
        return server.post(message.toString(), all, McpProbe::isAnswer);
    }

    private static ObjectNode clientInfo() {
        return Json.object().put("name", "agent-health").put("version", "1");
    }
}
