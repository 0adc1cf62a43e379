package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import java.util.Map;
import java.util.TreeMap;

/**
 * A call of a tool.
 *
 * @param arguments the arguments
 * @param request the MCP request
 */
record ToolCall(Fields arguments, McpRequest request) {

    Caller caller() {
        return request.http().caller();
    }

    /** Returns the agent id in the arguments. A missing or invalid id is an error of the argument. */
    String agentId() {
        arguments.require("agent_id");
        return arguments.id("agent_id");
    }

    /**
     * Returns the agent id of a tool without other arguments.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every bad argument
     */
    String onlyAgentId() {
        String agentId = agentId();
        arguments.refuseUnknown();
        arguments.check();
        return agentId;
    }

    /** Returns the trace to which the call belongs, from {@code _meta}, else from the headers. */
    TraceContext trace() {
        return TraceContext.of(trace("traceparent"), trace("tracestate"));
    }

    private String trace(String name) {
        String inBody = request.params().path(McpRequest.META).path(name).asText();
        return inBody.isEmpty() ? request.http().header(name) : inBody;
    }

    /** Returns a text that is equal for calls for pages of the same list. */
    String question() {
        Map<String, JsonNode> question = new TreeMap<>();
        request.params().path("arguments").properties().forEach(one -> question.put(one.getKey(), one.getValue()));
        question.remove("limit");
        question.remove("next_token");
        return question.toString();
    }
}
