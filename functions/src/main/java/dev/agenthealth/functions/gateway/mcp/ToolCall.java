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
 * @param arguments its arguments
 * @param request the request of MCP
 */
record ToolCall(Fields arguments, McpRequest request) {

    Caller caller() {
        return request.http().caller();
    }

    /** Returns the id of the agent that the tool is about; an absent or invalid one is an error of the argument. */
    String agentId() {
        arguments.require("agent_id");
        return arguments.id("agent_id");
    }

    /**
     * Returns the id of the agent that the tool is about, if it has no other argument.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every bad argument
     */
    String onlyAgentId() {
        String agentId = agentId();
        arguments.refuseUnknown();
        arguments.check();
        return agentId;
    }

    /** Returns the trace that the call is part of, from {@code _meta}, else from the headers. */
    TraceContext trace() {
        return TraceContext.of(trace("traceparent"), trace("tracestate"));
    }

    private String trace(String name) {
        String inBody = request.params().path(McpRequest.META).path(name).asText();
        return inBody.isEmpty() ? request.http().header(name) : inBody;
    }

    /** Returns a text that is equal for calls that ask for pages of the same list. */
    String question() {
        Map<String, JsonNode> question = new TreeMap<>();
        request.params().path("arguments").properties().forEach(one -> question.put(one.getKey(), one.getValue()));
        question.remove("limit");
        question.remove("next_token");
        return question.toString();
    }
}
