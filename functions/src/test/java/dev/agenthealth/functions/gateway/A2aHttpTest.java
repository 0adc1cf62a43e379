package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gateway by HTTP+JSON: the calls of JSON-RPC in another form. */
class A2aHttpTest {

    private static final String SEND =
            """
                    {"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"Hello"}]}}\
                    """;

    private static final Map<String, String> NONE = Map.of();

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");

    @Test
    void a_message_is_sent_to_an_agent_of_0_3_and_has_a_receipt() {
        Response response = send("POST", "message:send", NONE, SEND);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.json())
                .isEqualTo(
                        Json.stored(
                                """
                                        {"message":{"role":"ROLE_AGENT","messageId":"m","parts":[{"text":"Done."}]}}\
                                        """));
        JsonNode sent = Json.stored(server.requests().get(0).body());
        assertThat(sent.path("method").asText()).isEqualTo("message/send");
        assertThat(sent.at("/params/message/messageId").asText()).isEqualTo("m-1");
        assertThat(gateway.receipt(response.header("X-Receipt-Id"))
                        .path("status")
                        .asText())
                .isEqualTo("succeeded");
    }

    @Test
    void a_task_is_read_and_cancelled_by_its_path() {
        server.plays(AgentScripts.task("working"));
        send("POST", "message:send", NONE, SEND);
        Response read = send("GET", "tasks/t", Map.of("historyLength", "2"), "");
        assertThat(read.json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}\
                                """));
        assertThat(Json.stored(server.requests().get(1).body()).path("params"))
                .isEqualTo(Json.stored("{\"id\":\"t\",\"historyLength\":2}"));
        server.plays(AgentScripts.task("canceled"));
        assertThat(send("POST", "tasks/t:cancel", NONE, "")
                        .json()
                        .at("/status/state")
                        .asText())
                .isEqualTo("TASK_STATE_CANCELED");
        send("POST", "tasks/t:cancel", NONE, "{\"id\":\"of-another\",\"metadata\":{\"k\":1}}");
        assertThat(Json.stored(server.requests().get(3).body()).path("params"))
                .as("the path names the task")
                .isEqualTo(Json.stored("{\"id\":\"t\",\"metadata\":{\"k\":1}}"));
    }

    @Test
    void tasks_are_listed_in_pages() {
        gateway.agent("newer", GatewayHarness.endpoint(server), ",\"a2a_version\":\"1.0\"");
        String task =
                """
                {"id":"t%d","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}\
                """;
        for (int i = 0; i < 2; i++) {
            server.plays(AgentScripts.result("{\"task\":" + task.formatted(i) + "}"));
            request("POST", "newer", "message:send", NONE, SEND).send();
            gateway.system().clock().advanceSeconds(1);
        }
        server.plays(AgentScripts.result(
                "{\"tasks\":[" + task.formatted(0) + "," + task.formatted(1) + "],\"nextPageToken\":\"\"}"));
        Map<String, String> query = Map.of("pageSize", "1", "status", "TASK_STATE_WORKING", "includeArtifacts", "true");
        JsonNode first = request("GET", "newer", "tasks", query, "").send().json();
        assertThat(first.path("totalSize").asInt()).as(first.toString()).isEqualTo(2);
        assertThat(Json.stored(server.requests().get(2).body()).at("/params/includeArtifacts"))
                .isEqualTo(Json.stored("true"));
        gateway.system().clock().advanceSeconds(1);
        Map<String, String> next = Map.of(
                "pageSize",
                "1",
                "status",
                "TASK_STATE_WORKING",
                "pageToken",
                first.path("nextPageToken").asText());
        JsonNode second = request("GET", "newer", "tasks", next, "").send().json();
        assertThat(second.path("tasks")).as(second.toString()).hasSize(1);
        assertThat(second.at("/tasks/0/id")).isNotEqualTo(first.at("/tasks/0/id"));
        assertThat(second.path("nextPageToken").asText("none")).isEmpty();
        Map<String, String> other = Map.of(
                "contextId", "c", "pageToken", first.path("nextPageToken").asText());
        assertError(request("GET", "newer", "tasks", other, "").send(), 400, "INVALID_PARAMS");
    }

    @Test
    void a_stream_has_bare_parts_and_ends_with_an_event_of_its_error() throws IOException {
        String part =
                """
                {"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}\
                """;
        server.plays((request, out) -> Script.bytes(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                                + "data: {\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request) + "\",\"result\":"
                                + part + "}\r\n\r\ndata: {}\r\n\r\n")
                .play(request, out));
        TestApi streaming = gateway.streaming();
        Response response = streaming
                .request("POST", "/a2a/agents/a/message:stream")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", "1.0")
                .body(SEND)
                .send();
        String body = body(response);
        assertThat(body)
                .contains(
                        """
                                \n\ndata: {"task":{"id":"t","contextId":"c",\
                                "status":{"state":"TASK_STATE_WORKING"}}}\n\n\
                                """);
        String[] end = body.split("\n\n");
        String[] lines = end[end.length - 1].split("\n");
        assertThat(lines[0]).isEqualTo("event: error");
        assertThat(Json.stored(lines[1].substring("data: ".length()))
                        .at("/error/details/0/reason")
                        .asText())
                .isEqualTo("INVALID_AGENT_RESPONSE");
        for (String method : new String[] {"GET", "POST"}) {
            Response followed = streaming
                    .request(method, "/a2a/agents/a/tasks/t:subscribe")
                    .key(TestSystem.OTHER_AGENT_KEY)
                    .header("a2a-version", "1.0")
                    .send();
            assertThat(body(followed)).contains("data: {\"task\":{\"id\":\"t\"");
            assertThat(Json.stored(server.requests()
                                    .get(server.requests().size() - 1)
                                    .body())
                            .path("method")
                            .asText())
                    .isEqualTo("tasks/resubscribe");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | message:send       | {\"message\":1} | 400 | INVALID_PARAMS",
                "POST | message:send       | []              | 400 | INVALID_PARAMS",
                "POST | message:send       | {               | 400 | INVALID_REQUEST",
                "POST | message:send       | ''              | 400 | INVALID_REQUEST",
                "POST | message:other      | {}              | 404 | METHOD_NOT_FOUND",
                "POST | message:stream     | {}              | 400 | UNSUPPORTED_OPERATION",
                "POST | tasks/t:subscribe  | ''              | 400 | UNSUPPORTED_OPERATION",
                "POST | tasks/t            | {}              | 404 | METHOD_NOT_FOUND",
                "POST | tasks/t:cancel     | 1               | 400 | INVALID_PARAMS",
                "GET  | tasks/t            | ''              | 404 | TASK_NOT_FOUND",
                "GET  | tasks/t:subscribe  | ''              | 400 | UNSUPPORTED_OPERATION",
            })
    void what_a2a_refuses_has_its_status_and_reason(
            String method, String path, String body, int status, String reason) {
        Response response = send(method, path, NONE, body);
        assertError(response, status, reason);
        assertThat(response.json().at("/error/details/0/domain").asText()).isEqualTo("a2a-protocol.org");
        assertThat(server.connections()).isZero();
    }

    @Test
    void an_agent_without_an_extended_card_has_none_here() {
        assertError(send("GET", "extendedAgentCard", NONE, ""), 400, "EXTENDED_AGENT_CARD_NOT_CONFIGURED");
    }

    @Test
    void what_the_gateway_or_the_agent_refuses_has_the_status_of_other_routes() {
        assertError(request("POST", "nobody", "message:send", NONE, SEND).send(), 404, "AGENT_NOT_FOUND");
        server.plays(AgentScripts.rpcError("no"));
        Response failed = send("POST", "message:send", NONE, SEND);
        assertError(failed, 502, "AGENT_ERROR");
        assertThat(failed.json().at("/error/details/0/metadata/code").asText()).isEqualTo("-32603");
        server.plays(AgentScripts.result("1"));
        Response malformed = send("POST", "message:send", NONE, SEND);
        assertError(malformed, 502, "INVALID_AGENT_RESPONSE");
        assertThat(malformed.json().at("/error/details/0/metadata/receipt_id").asText())
                .isEqualTo(malformed.header("X-Receipt-Id"));
        assertThat(malformed.json().at("/error/details/0/metadata/error").asText())
                .isEqualTo("agent_malformed_response");
        server.plays(AgentScripts.task("working"));
        send("POST", "message:send", NONE, SEND);
        server.plays((request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                        + "\",\"error\":{\"code\":-32002,\"message\":\"It has ended.\",\"data\":{\"since\":1}}}")
                .play(request, out));
        Response ended = send("POST", "tasks/t:cancel", NONE, "");
        assertError(ended, 400, "TASK_NOT_CANCELABLE");
        assertThat(ended.json().at("/error/message").asText()).isEqualTo("It has ended.");
        assertThat(ended.json().at("/error/details/0/metadata/data").asText()).isEqualTo("{\"since\":1}");
    }

    @Test
    void a_caller_over_its_limit_gets_a_problem_with_retry_after() {
        Response response = send("POST", "message:send", NONE, SEND);
        for (int i = 0; i < 200 && response.status() == 200; i++) {
            response = send("POST", "message:send", NONE, SEND);
        }
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.header("Retry-After")).isNotEmpty();
        assertThat(response.json().path("error").asText()).isEqualTo("rate_limited");
    }

    @ParameterizedTest
    @CsvSource({"''", "0.3", "2.0"})
    void another_version_is_refused(String version) {
        Response response = gateway.api()
                .request("POST", "/a2a/agents/a/message:send")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", version)
                .body(SEND)
                .send();
        assertError(response, 400, "VERSION_NOT_SUPPORTED");
        assertThat(server.connections()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"pageSize, 0", "pageSize, many", "includeArtifacts, yes", "historyLength, -1", "status, lost"})
    void a_wrong_value_of_a_query_is_named(String name, String value) {
        Response response = send("GET", "tasks", Map.of(name, value), "");
        assertError(response, 400, "INVALID_PARAMS");
        assertThat(response.json().at("/error/details/0/metadata/fields").asText())
                .startsWith(name + " ");
        assertThat(server.connections()).isZero();
    }

    private Response send(String method, String path, Map<String, String> query, String body) {
        return request(method, "a", path, query, body).send();
    }

    private TestApi.Request request(
            String method, String agentId, String path, Map<String, String> query, String body) {
        TestApi.Request request = gateway.api()
                .request(method, "/a2a/agents/" + agentId + "/" + path)
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", "1.0");
        query.forEach(request::query);
        return body.isEmpty() ? request : request.body(body);
    }

    private static String body(Response response) throws IOException {
        assertThat(response.event()).as(response.text()).isInstanceOf(RequestStreamHandler.class);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ((RequestStreamHandler) response.event()).handleRequest(InputStream.nullInputStream(), out, null);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void assertError(Response response, int status, String reason) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        JsonNode error = response.json().path("error");
        assertThat(error.path("code").asInt()).isEqualTo(status);
        assertThat(error.path("status").asText()).isNotEmpty();
        assertThat(error.path("message").asText()).isNotEmpty();
        assertThat(error.at("/details/0/@type").asText()).isEqualTo("type.googleapis.com/google.rpc.ErrorInfo");
        assertThat(error.at("/details/0/reason").asText()).isEqualTo(reason);
    }
}
