package dev.agenthealth.functions.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.InvocationWorkerFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ApiContract;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A client of MCP in the tests, which may call agents on this machine. */
final class McpHarness implements AutoCloseable {

    private static final String META =
            """
            {"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},
             "io.modelcontextprotocol/clientCapabilities":{}}
            """;

    private final TestSystem system = new TestSystem();
    private final TestApi api;
    private final InvocationWorkerFunction worker;

    McpHarness() {
        Map<String, String> environment = new HashMap<>(TestSystem.INVOCATIONS);
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        NameResolver resolver = host -> List.of(InetAddress.getLoopbackAddress());
        api = new TestApi(List.of(new GatewayFunction(system.wiring(environment), resolver, SecureSockets.usual())));
        worker = new InvocationWorkerFunction(system.wiring(environment), resolver, SecureSockets.usual());
    }

    /** Delivers all messages ever sent to the queue. */
    void deliver() {
        SQSEvent event = new SQSEvent();
        event.setRecords(system.sqs().messages().stream()
                .map(message -> {
                    SQSEvent.SQSMessage record = new SQSEvent.SQSMessage();
                    record.setMessageId(message.messageId());
                    record.setReceiptHandle(message.receiptHandle());
                    record.setBody(message.body());
                    return record;
                })
                .toList());
        worker.handleRequest(event, null);
    }

    TestSystem system() {
        return system;
    }

    TestApi api() {
        return api;
    }

    /** Sends a request of 2026-07-28 as a client of that version does. */
    Response modern(String key, String method, String params) {
        return modern(key, method, params, META);
    }

    /** Sends a request of a client that declares the extension for tasks. */
    Response withTasks(String key, String method, String params) {
        return modern(
                key,
                method,
                params,
                META.replace(
                        "Capabilities\":{}", "Capabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"));
    }

    private Response modern(String key, String method, String params, String meta) {
        ObjectNode given = (ObjectNode) Json.stored(params);
        given.set("_meta", Json.stored(meta));
        TestApi.Request request = api.post("/mcp")
                .header("authorization", "Bearer " + key)
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", method);
        String name = given.path("name")
                .asText(given.path("uri").asText(given.path("taskId").asText()));
        if (!name.isEmpty()) {
            request.header("mcp-name", name);
        }
        return request.body(message(method, given)).send();
    }

    /** Sends a request of an older version after its handshake. */
    Response older(String key, String method, String params) {
        return api.post("/mcp")
                .key(key)
                .header("mcp-protocol-version", "2025-11-25")
                .body(message(method, Json.stored(params)))
                .send();
    }

    static String message(String method, JsonNode params) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", 7).put("method", method);
        message.set("params", params);
        return Json.text(message);
    }

    /** The result of a call of a tool. */
    JsonNode call(String key, String tool, String arguments) {
        Response response = modern(key, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("result");
    }

    /** The structured content of a call that succeeds, which is as the tool's output schema says. */
    JsonNode content(String key, String tool, String arguments) {
        JsonNode result = call(key, tool, arguments);
        assertThat(result.path("isError").booleanValue()).as(result.toString()).isFalse();
        JsonNode content = result.path("structuredContent");
        assertThat(Json.stored(result.at("/content/0/text").asText())).isEqualTo(Json.stored(content.toString()));
        assertThat(ApiContract.faults(definition(tool).path("outputSchema"), content))
                .as(content.toString())
                .isEmpty();
        return content;
    }

    /** The text of a call that is refused. */
    String refusal(String key, String tool, String arguments) {
        JsonNode result = call(key, tool, arguments);
        assertThat(result.path("isError").booleanValue()).as(result.toString()).isTrue();
        assertThat(result.has("structuredContent")).isFalse();
        return result.at("/content/0/text").asText();
    }

    /** The tools that a key sees, by name. */
    Map<String, JsonNode> tools(String key) {
        Map<String, JsonNode> tools = new LinkedHashMap<>();
        modern(key, "tools/list", "{}")
                .json()
                .at("/result/tools")
                .forEach(tool -> tools.put(tool.path("name").asText(), tool));
        return tools;
    }

    private JsonNode definition(String tool) {
        return tools(TestSystem.ADMINISTRATOR_KEY).get(tool);
    }

    @Override
    public void close() {
        system.close();
    }
}
