package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.description.McpFile;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.gateway.InvocationTasks;
import dev.agenthealth.functions.gateway.SyncInvocations;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.ServedAddress;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * {@code POST /mcp}: the Model Context Protocol over HTTP without sessions, in the version 2026-07-28 and in older versions that begin with
 * {@code initialize}. Thread-safe.
 */
public final class McpRoutes {

    private static final int HOUR_MILLIS = 3_600_000;

    private static final Pattern LOOPBACK = Pattern.compile("127[.][0-9.]+|::1|0:0:0:0:0:0:0:1");

    private final ObjectNode serverInfo;
    private final String instructions;
    private final AgentTools tools;
    private final AgentResources resources;
    private final McpTasks tasks;

    public McpRoutes(
            Wiring wiring,
            Database database,
            SyncInvocations invocations,
            InvocationTasks invocationTasks,
            CommandQueue commands) {
        JsonNode file = McpFile.read();
        this.serverInfo = (ObjectNode) file.path("serverInfo");
        this.instructions = file.path("instructions").asText();
        this.tasks = new McpTasks(invocationTasks, wiring);
        this.tools = new AgentTools(file.path("tools"), database, wiring.clock(), invocations, commands, tasks);
        this.resources = new AgentResources(file.path("resourceTemplates"), wiring, database);
    }

    public void addTo(Routes routes) {
        // Each tool checks the caller's right to change something. GET and DELETE get 405, as there are no streams to
        // open and no sessions to end.
        routes.on("POST /mcp", Access.ANY_KEY, this::answer, Route.Option.SAMPLED, Route.Option.READ_ONLY);
    }

    private ApiResponse answer(ApiRequest http) {
        checkOrigin(http);
        JsonNode id = MissingNode.getInstance();
        try {
            JsonNode json = McpRequest.json(http.body());
            if (!json.has("id") && json.path("method").textValue().startsWith("notifications/")) {
                return new ApiResponse(202, Map.of(), "");
            }
            id = McpRequest.id(json);
            if (id.isMissingNode()) {
                throw McpError.malformed(McpError.INVALID_REQUEST, "A request needs an id: a text or a whole number.");
            }
            McpRequest request = McpRequest.of(json, http);
            return response(id, result(request), request.modern());
        } catch (McpError e) {
            return e.response(id);
        }
    }

    /**
     * Refuses pages of other origins, which could use a registry that only the browser can reach. With DNS rebinding, the name of the page is also
     * the requested host; then the browser runs on the registry's machine.
     */
    private static void checkOrigin(ApiRequest http) {
        String origin = http.header("origin");
        boolean rebound = LOOPBACK.matcher(http.address()).matches()
                && origin.startsWith("http:")
                && !ServedAddress.isOfThisMachine(origin);
        if (http.hasHeader("origin") && (rebound || !origin.equals(http.served().origin()))) {
            throw ApiError.forbidden("Pages of other origins may not use this endpoint.");
        }
    }

    private ObjectNode result(McpRequest request) {
        Function<McpRequest, ObjectNode> method =
                switch (request.method()) {
                    case "tools/list" -> tools::list;
                    case "tools/call" -> tools::call;
                    case "tasks/get" -> tasks::get;
                    case "tasks/cancel" -> tasks::cancel;
                    case "tasks/result" -> request.modern() ? McpRoutes::unknown : tasks::result;
                    case "tasks/update" -> request.modern() ? tasks::update : McpRoutes::unknown;
                    case "resources/list" -> resources::list;
                    case "resources/templates/list" -> resources::templates;
                    case "resources/read" -> resources::read;
                    case "server/discover" -> request.modern() ? this::discover : McpRoutes::unknown;
                    case McpRequest.INITIALIZE -> request.modern() ? McpRoutes::unknown : this::initialize;
                    case "ping" -> request.modern() ? McpRoutes::unknown : ping -> Json.object();
                    default -> McpRoutes::unknown;
                };
        return method.apply(request);
    }

    private static ObjectNode unknown(McpRequest request) {
        String message = "Method not found: " + McpError.shown(request.method());
        throw McpError.of(request.modern() ? 404 : 200, McpError.METHOD_NOT_FOUND, message, Json.object());
    }

    private ObjectNode discover(McpRequest request) {
        ObjectNode result = Json.object();
        var versions = result.putArray("supportedVersions").add(McpRequest.MODERN);
        McpRequest.OLDER.forEach(versions::add);
        putCapabilities(result).putObject("extensions").putObject(McpTasks.EXTENSION);
        result.put("instructions", instructions);
        return Cached.everywhere(result, HOUR_MILLIS);
    }

    /** Returns the client's version, or the latest version with {@code initialize}. */
    private ObjectNode initialize(McpRequest request) {
        String wanted = request.text("protocolVersion");
        String agreed = McpRequest.OLDER.contains(wanted) ? wanted : McpRequest.OLDER.get(0);
        ObjectNode result = Json.object().put("protocolVersion", agreed);
        ObjectNode capabilities = putCapabilities(result);
        if (agreed.equals(McpRequest.OLDER.get(0))) {
            McpTasks.putOlderCapability(capabilities);
        }
        result.set("serverInfo", serverInfo);
        return result.put("instructions", instructions);
    }

    private static ObjectNode putCapabilities(ObjectNode result) {
        ObjectNode capabilities = result.putObject("capabilities");
        capabilities.putObject("tools");
        capabilities.putObject("resources");
        return capabilities;
    }

    private ApiResponse response(JsonNode id, ObjectNode result, boolean modern) {
        if (modern) {
            result.putIfAbsent("resultType", TextNode.valueOf("complete"));
            ObjectNode meta = result.path(McpRequest.META) instanceof ObjectNode object
                    ? object
                    : result.putObject(McpRequest.META);
            meta.set(McpRequest.NAMESPACE + "serverInfo", serverInfo);
        } else {
            Cached.remove(result);
        }
        ObjectNode json = Json.object().put("jsonrpc", "2.0");
        json.set("id", id);
        json.set("result", result);
        return ApiResponse.json(200, json);
    }
}
