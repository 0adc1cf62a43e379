package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The gateway names the tenant of an agent's endpoint in each call of version 1.0. */
class TenantTest {

    private static final String TASK =
            """
            {"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}\
            """;
    private static final String NEWER = ",\"a2a_version\":\"1.0\",\"a2a_tenant\":\"acme/eu\"";

    private static final Map<String, String> CALLS = new TreeMap<>(Map.of(
            "GetTask", "{\"id\":\"t\"}",
            "CancelTask", "{\"id\":\"t\"}",
            "ListTasks", "{}"));

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.server();

    private void register(String more) {
        gateway.agent("a", GatewayHarness.endpoint(server), more);
    }

    /** Answers JSON-RPC with a task, which a message, a reading and a cancellation return. */
    private void answersRpc(String version) {
        server.plays((request, out) -> {
            JsonNode asked = Json.stored(request.body());
            String result = asked.path("method").asText().equals("SendMessage") ? "{\"task\":" + TASK + "}" : TASK;
            if (asked.path("method").asText().equals("ListTasks")) {
                result = "{\"tasks\":[" + TASK + "]}";
            } else if (version.equals("0.3")) {
                result = "{\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"working\"}}";
            }
            Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request) + "\",\"result\":" + result + "}")
                    .play(request, out);
        });
    }

    /** Answers HTTP+JSON at the path of the tenant, and 404 at any other path. */
    private void answersHttp(String card) {
        server.plays((request, out) -> {
            String path = request.line().split(" ")[1];
            String answer = path.startsWith("/a2a/secret-path/acme/eu/message:send")
                    ? "{\"task\":" + TASK + "}"
                    : path.startsWith("/a2a/secret-path/acme/eu/tasks?")
                            ? "{\"tasks\":[" + TASK + "]}"
                            : path.startsWith("/a2a/secret-path/acme/eu/")
                                    ? TASK
                                    : path.endsWith("agent-card.json") ? card : "";
            (answer.isEmpty() ? Script.status(404) : Script.body(answer)).play(request, out);
        });
    }

    private Response call(String method, String params) {
        gateway.system().clock().advanceSeconds(1);
        Response response = gateway.api()
                .post("/a2a/agents/a")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", "1.0")
                .body("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}")
                .send();
        assertThat(response.json().has("result")).as(response.text()).isTrue();
        return response;
    }

    private void send() {
        call(
                "SendMessage",
                """
                {"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"Hello"}]},"tenant":"of-the-caller"}\
                """);
    }

    private List<String> paths() {
        return server.requests().stream()
                .map(request -> request.line().replace(" HTTP/1.1", ""))
                .toList();
    }

    @Test
    void each_call_by_json_rpc_has_the_tenant() {
        register(NEWER);
        answersRpc("1.0");
        send();
        CALLS.forEach(this::call);
        assertThat(gateway.accepted("a")).isNotEmpty();
        gateway.deliver();
        assertThat(server.requests()).hasSize(5).allSatisfy(request -> assertThat(
                        Json.stored(request.body()).at("/params/tenant").asText())
                .isEqualTo("acme/eu"));
        assertThat(paths()).allMatch("POST /a2a/secret-path"::equals);
    }

    @Test
    void a_call_of_version_0_3_has_no_tenant() {
        register(",\"a2a_tenant\":\"acme/eu\"");
        answersRpc("0.3");
        send();
        assertThat(Json.stored(server.requests().get(0).body()).path("params").has("tenant"))
                .isFalse();
    }

    @Test
    void each_call_by_http_has_the_tenant_in_its_path() {
        register(NEWER + ",\"a2a_binding\":\"HTTP+JSON\"");
        answersHttp("");
        send();
        CALLS.forEach(this::call);
        assertThat(paths())
                .containsExactly(
                        "POST /a2a/secret-path/acme/eu/message:send",
                        "POST /a2a/secret-path/acme/eu/tasks/t:cancel",
                        "GET /a2a/secret-path/acme/eu/tasks/t",
                        "GET /a2a/secret-path/acme/eu/tasks?pageSize=50&includeArtifacts=false");
        assertThat(Json.stored(server.requests().get(0).body()).has("tenant")).isFalse();
    }

    @Test
    void the_tenant_of_the_agent_s_card_is_found_once() {
        register("");
        answersHttp("{\"name\":\"A\",\"supportedInterfaces\":[{\"url\":\"" + GatewayHarness.endpoint(server)
                + "\",\"protocolBinding\":\"HTTP+JSON\",\"protocolVersion\":\"1.0\",\"tenant\":\"acme/eu\"}]}");
        send();
        int found = paths().size();
        send();
        assertThat(paths().subList(found, paths().size()))
                .containsExactly("POST /a2a/secret-path/acme/eu/message:send");
    }
}
