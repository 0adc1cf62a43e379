package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.gateway.SyncInvocations;
import dev.agenthealth.functions.health.Scores;
import dev.agenthealth.functions.health.SystemHealth;
import dev.agenthealth.functions.registry.Commands;
import dev.agenthealth.functions.registry.Listing;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyAction;
import java.time.Clock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The tools. Each tool is listed for the callers that may call it. Thread-safe. */
final class AgentTools {

    private static final int MINUTES_MILLIS = 300_000;

    private final JsonNode definitions;
    private final McpTasks tasks;
    private final Map<String, Tool> tools = new LinkedHashMap<>();

    /**
     * A tool.
     *
     * @param access the keys that may call it
     * @param action the kind of its action; viewers may only read
     * @param answer returns the structured content of a call
     */
    private record Tool(Access access, KeyAction action, Function<ToolCall, ObjectNode> answer) {

        boolean isOpenTo(Caller caller) {
            return access.isOpenTo(caller, action != KeyAction.READ)
                    && caller.limits().allows(action);
        }

        void check(Caller caller) {
            access.check(caller, action != KeyAction.READ);
            if (!caller.limits().allows(action)) {
                throw AccessError.actionNotAllowed(action);
            }
        }
    }

    /**
     * Creates the tools.
     *
     * @param definitions the name, texts, schemas and annotations of each tool
     * @throws IllegalStateException if the definitions do not match the tools of this class
     */
    AgentTools(
            JsonNode definitions,
            Database database,
            Clock clock,
            SyncInvocations invocations,
            CommandQueue commands,
            McpTasks tasks) {
        this.definitions = definitions;
        this.tasks = tasks;
        Scores scores = new Scores(database, clock);
        ReadingTools reading =
                new ReadingTools(new Listing(database, clock), scores, new SystemHealth(database, clock));
        CallAdvices advices = new CallAdvices(database, clock, scores, invocations);
        ActingTools acting = new ActingTools(invocations, new Commands(database, commands));
        tools.put("find_agents", new Tool(Access.ANY_KEY, KeyAction.READ, reading::findAgents));
        tools.put("agent_health", new Tool(Access.AGENT, KeyAction.READ, reading::agentHealth));
        tools.put("may_i_call", new Tool(Access.ANY_KEY, KeyAction.READ, advices::advise));
        tools.put(McpTasks.TOOL, new Tool(Access.ANY_KEY, KeyAction.INVOKE, acting::invoke));
        tools.put("fleet_health", new Tool(Access.COORDINATOR, KeyAction.READ, reading::fleetHealth));
        tools.put("drain_agent", new Tool(Access.AGENT, KeyAction.CHANGE, acting::drain));
        Set<String> defined = new HashSet<>();
        definitions.forEach(definition -> defined.add(definition.path("name").asText()));
        if (!defined.equals(tools.keySet())) {
            throw new IllegalStateException("mcp.json defines the tools " + defined + " instead of " + tools.keySet());
        }
    }

    /**
     * Returns the tools of a caller.
     *
     * @throws McpError for a cursor, as the list has one page
     */
    ObjectNode list(McpRequest request) {
        if (request.params().hasNonNull("cursor")) {
            throw McpError.of(McpError.INVALID_PARAMS, "The list of tools has one page and no cursor.");
        }
        Caller caller = request.http().caller();
        ObjectNode result = Json.object();
        ArrayNode listed = result.putArray("tools");
        for (JsonNode definition : definitions) {
            Tool tool = tools.get(definition.path("name").asText());
            if (tool.isOpenTo(caller)) {
                listed.add(McpTasks.described(request, (ObjectNode) definition));
            }
        }
        return Cached.forKey(result, MINUTES_MILLIS);
    }

    /**
     * Returns the result of a call, or the task that the call becomes. A refusal or an invalid argument is a result that the model reads.
     *
     * @throws McpError for an unknown tool, for arguments that are no object, and for a task that the client cannot have
     */
    ObjectNode call(McpRequest request) {
        String name = request.text("name");
        Tool tool = tools.get(name);
        if (tool == null) {
            throw McpError.of(McpError.INVALID_PARAMS, "Unknown tool: " + McpError.shown(name));
        }
        JsonNode arguments = request.params().path("arguments");
        boolean none = arguments.isMissingNode() || arguments.isNull();
        if (!none && !arguments.isObject()) {
            throw McpError.malformed(McpError.INVALID_PARAMS, "params.arguments must be an object.");
        }
        Fields fields = Fields.ofBody(none ? "{}" : Json.text(arguments)).withEmptyTexts();
        ToolCall call = new ToolCall(fields, request);
        boolean becomesTask = tasks.isTask(request, name, arguments);
        try {
            tool.check(request.http().caller());
            return becomesTask ? tasks.begin(call) : answer(tool.answer().apply(call));
        } catch (ApiError e) {
            return refusal(e);
        }
    }

    /** Returns the result of a call that succeeded. */
    static ObjectNode answer(ObjectNode content) {
        ObjectNode result = result(Json.text(content), false);
        result.set("structuredContent", content);
        return result;
    }

    /** Returns the result of a call that was refused or failed. */
    static ObjectNode refusal(ApiError problem) {
        StringBuilder text = new StringBuilder(problem.error()).append(": ").append(problem.detail());
        List<FieldError> errors = problem.errors().size() == 1 ? List.of() : problem.errors();
        errors.forEach(
                error -> text.append("\n- ").append(error.field()).append(' ').append(error.message()));
        problem.members().forEach((name, value) -> text.append('\n')
                .append(name)
                .append(": ")
                .append(value.isTextual() ? value.asText() : Json.text(value)));
        if (problem.headers().containsKey("Retry-After")) {
            text.append("\nRetry after ")
                    .append(problem.headers().get("Retry-After"))
                    .append(" seconds.");
        }
        return result(text.toString(), true);
    }

    private static ObjectNode result(String text, boolean isError) {
        ObjectNode result = Json.object();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result.put("isError", isError);
    }
}
