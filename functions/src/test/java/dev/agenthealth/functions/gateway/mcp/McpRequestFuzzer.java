package dev.agenthealth.functions.gateway.mcp;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Requests of clients of MCP, old and new. */
public final class McpRequestFuzzer {

    private McpRequestFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String body = new String(input, StandardCharsets.UTF_8);
        for (String version : List.of("", McpRequest.MODERN, McpRequest.OLDER.get(0))) {
            try {
                JsonNode json = McpRequest.json(body);
                McpRequest.id(json);
                Map<String, String> headers = Map.of(
                        "mcp-protocol-version", version,
                        "mcp-method", json.path("method").asText(),
                        "mcp-name", json.at("/params/name").asText("=?base64?" + body + "?="));
                McpRequest.of(
                        json,
                        new ApiRequest(APIGatewayV2HTTPEvent.builder()
                                .withHeaders(headers)
                                .build()));
            } catch (McpError | ApiError refused) {
                // Says why.
            }
        }
    }
}
