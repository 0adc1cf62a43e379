package dev.agenthealth.functions.mcp;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Fields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A call of a tool.
 *
 * @param arguments its arguments
 * @param request the request of MCP
 */
record ToolCall(Fields arguments, McpRequest request) {

    private static final int MAX_TRACE = 1_024;

    ApiRequest http() {
        return request.http();
    }

    /**
     * The id of the agent that the tool is about; ends the reading of the arguments.
     *
     * @throws dev.agenthealth.functions.http.Problem 400 naming every bad argument
     */
    String agentId() {
        arguments.require("agent_id");
        String agentId = arguments.id("agent_id");
        arguments.refuseUnknown();
        arguments.check();
        return agentId;
    }

    /** The trace that the call is part of, from {@code _meta}, else from the headers. */
    Map<String, String> trace() {
        Map<String, String> trace = new HashMap<>();
        for (String name : List.of("traceparent", "tracestate")) {
            String inBody = request.params().path(McpRequest.META).path(name).asText();
            String value = inBody.isEmpty() ? http().header(name) : inBody;
            if (!value.isEmpty() && value.length() <= MAX_TRACE) {
                trace.put(name, value);
            }
        }
        return trace;
    }
}
