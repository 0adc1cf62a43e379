package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.testkit.TestSqs;
import java.util.HashSet;
import java.util.Set;

/** Calls of agents through the gateway, and the tools of MCP. */
final class InvocationScenario {

    private final DeployedSystem system;
    private final TestApi api;
    private final ScenarioClient client;
    private final Set<String> called = new HashSet<>();

    InvocationScenario(DeployedSystem system, TestApi api, ScenarioClient client) {
        this.system = system;
        this.api = api;
        this.client = client;
    }

    void run() {
        invocations();
        tools();
    }

    /** Names in {@code .invalid} do not resolve, so the agent is unreachable. */
    private void invocations() {
        client.register(
                "unreachable",
                """
                        "endpoint":"https://agent.invalid","accepts_push":true,"provider_id":"p"\
                        """);
        String message = "{\"message\":\"Hello\"}";
        String credential = "/v1/agents/unreachable/credential";
        expect(200, api.put(credential).key(client.agentKey()).body("{\"bearer_token\":\"t\"}"));
        expect(200, api.get(credential).key(client.agentKey()));
        Request invocation = api.post("/v1/agents/unreachable/invoke")
                .key(client.agentKey())
                .header("idempotency-key", "order-1")
                .body(message);
        Response failed = invocation.send();
        assertThat(failed.json().path("error").asText()).isEqualTo("agent_unreachable");
        assertThat(invocation.send().json().path("receipt_id"))
                .isEqualTo(failed.json().path("receipt_id"));
        expect(
                200,
                api.get("/v1/receipts/" + failed.json().path("receipt_id").asText())
                        .key(client.agentKey()));
        expect(
                202,
                api.post("/v1/agents/unreachable/invoke-async")
                        .key(client.agentKey())
                        .body(message));
        expect(202, api.post("/api/v1/agents/unreachable/commands").key(ADMIN).body("{\"command\":\"drain\"}"));
        for (int i = 1; i <= 3; i++) {
            String answer = system.invoke(
                    "InvocationWorkerFunction", TestSqs.event(system.sqs().messages()));
            assertThat(answer.contains("itemIdentifier"))
                    .as("the third attempt is the last one: " + answer)
                    .isEqualTo(i < 3);
        }
        expect(204, api.delete(credential).key(client.agentKey()));
        expect(204, api.delete("/api/v1/agents/unreachable").key(client.agentKey()));
        new CallsOfNewerAgents(system, client.agentKey()).run();
    }

    /** What the function of MCP does for a tool. */
    private void tools() {
        for (String status : new String[] {"active", "draining", "unhealthy", "dead", "deregistered"}) {
            tool("find_agents", "{\"status\":[\"" + status + "\"]}");
        }
        tool("find_agents", "{\"limit\":1}");
        tool("find_agents", "{\"capabilities\":[\"c2\"],\"most_available_first\":true}");
        tool("fleet_health", "{}");
        for (String name : new String[] {"agent_health", "may_i_call", "drain_agent"}) {
            tool(name, "{\"agent_id\":\"worker\"}");
        }
        expect(204, api.delete("/api/v1/agents/worker/commands/drain").key(client.agentKey()));
        // What invoke_agent does is in the invocations above.
        called.add("invoke_agent");
        assertThat(mcp("tools/list", "{}").json().path("result").path("tools"))
                .isNotEmpty()
                .allSatisfy(
                        tool -> assertThat(called).contains(tool.path("name").asText()));
    }

    private void tool(String name, String arguments) {
        called.add(name);
        Response response = mcp("tools/call", "{\"name\":\"" + name + "\",\"arguments\":" + arguments + "}");
        assertThat(response.json().path("result").path("isError").asText("true"))
                .as(name + " " + response.text())
                .isEqualTo("false");
    }

    private Response mcp(String method, String params) {
        return api.post("/mcp")
                .key(ADMIN)
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}")
                .send();
    }
}
