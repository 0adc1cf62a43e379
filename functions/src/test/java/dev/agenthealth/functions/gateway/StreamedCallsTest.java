package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers in parts, from agents of both versions to callers of both versions. */
class StreamedCallsTest {

    private static final Map<String, String> NEWER = Map.of("a2a-version", "1.0");
    private static final Map<String, String> OLDER = Map.of();
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    private static final String SEND =
            """
                    {"jsonrpc":"2.0","id":7,"method":"SendStreamingMessage","params":{"message":{"messageId":"m-1",\
                    "role":"ROLE_USER","parts":[{"text":"Hello"}]}}}\
                    """;
    private static final String SEND_OLDER = SEND.replace("SendStreamingMessage", "message/stream")
            .replace("ROLE_USER", "user")
            .replace("{\"text\"", "{\"kind\":\"text\",\"text\"");
    private static final String FOLLOW =
            """
                    {"jsonrpc":"2.0","id":7,"method":"SubscribeToTask","params":{"id":"t"}}\
                    """;

    private static final String WORKING =
            """
                    {"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}\
                    """;
    private static final String ARTIFACT =
            """
                    {"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":"a",\
                    "parts":[{"kind":"text","text":"Half"}]},"append":true}\
                    """;
    private static final String COMPLETED =
            """
                    {"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"completed"},"final":true}\
                    """;

    private static final String WORKING_NEWER =
            """
                    {"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}\
                    """;
    private static final String ARTIFACT_NEWER =
            """
                    {"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a",\
                    "parts":[{"text":"Half"}]},"append":true}}\
                    """;
    private static final String COMPLETED_NEWER =
            """
                    {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}\
                    """;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");
    private final TestApi api = gateway.streaming();

    /** Sends these results, and closes the connection. */
    private static Script streams(String... results) {
        return (request, out) -> {
            StringBuilder text = new StringBuilder(HEAD + ": begins\r\n\r\n");
            for (String result : results) {
                text.append("data: {\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request) + "\",\"result\":"
                        + result + "}\r\n\r\n");
            }
            Script.bytes(text.toString()).play(request, out);
        };
    }

    private Response post(Map<String, String> headers, String body) {
        var request = api.post("/a2a/agents/a").key(TestSystem.OTHER_AGENT_KEY);
        headers.forEach(request::header);
        return request.body(body).send();
    }

    private static void write(Response response, OutputStream out) throws IOException {
        assertThat(response.event()).as(response.text()).isInstanceOf(RequestStreamHandler.class);
        ((RequestStreamHandler) response.event()).handleRequest(InputStream.nullInputStream(), out, null);
    }

    /** The responses of JSON-RPC in the body. */
    private static List<JsonNode> events(Response response) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        write(response, body);
        List<JsonNode> events = new ArrayList<>();
        for (String line : body.toString(StandardCharsets.UTF_8).split("\n")) {
            if (line.startsWith("data: ")) {
                events.add(Json.stored(line.substring(6)));
            }
        }
        return events;
    }

    private static JsonNode success(String result) {
        return Json.stored("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + result + "}");
    }

    @Test
    void an_agent_of_0_3_streams_to_callers_of_both_versions() throws IOException {
        server.plays(streams(WORKING, ARTIFACT, COMPLETED));
        Response newer = post(NEWER, SEND);
        assertThat(newer.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(events(newer))
                .containsExactly(success(WORKING_NEWER), success(ARTIFACT_NEWER), success(COMPLETED_NEWER));
        assertThat(events(post(OLDER, SEND_OLDER)))
                .containsExactly(success(WORKING), success(ARTIFACT), success(COMPLETED));
        JsonNode sent = Json.stored(server.requests().get(0).body());
        assertThat(sent.path("method").asText()).isEqualTo("message/stream");
        assertThat(server.requests().get(0).headers().get("accept")).contains("text/event-stream");
        assertThat(gateway.receipt(newer.header("X-Receipt-Id")).path("status").asText())
                .isEqualTo("succeeded");
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(2);
    }

    @Test
    void an_agent_of_1_0_streams_to_callers_of_both_versions() throws IOException {
        server.plays((request, out) -> {
            boolean newer = "1.0".equals(request.headers().get("a2a-version"));
            (newer
                            ? streams(WORKING_NEWER, ARTIFACT_NEWER, COMPLETED_NEWER)
                            : Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                                    + "\",\"error\":{\"code\":-32601,\"message\":\"no\"}}"))
                    .play(request, out);
        });
        assertThat(events(post(OLDER, SEND_OLDER)))
                .containsExactly(success(WORKING), success(ARTIFACT), success(COMPLETED));
        assertThat(events(post(NEWER, SEND)))
                .containsExactly(success(WORKING_NEWER), success(ARTIFACT_NEWER), success(COMPLETED_NEWER));
        assertThat(server.connections()).as("the version is found out once").isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "completed, succeeded, ''",
        "input-required, succeeded, ''",
        "failed, failed, agent_task_failed",
        "canceled, failed, agent_task_failed",
        "rejected, failed, agent_task_failed",
        "working, failed, agent_unreachable"
    })
    void a_stream_is_one_execution_that_ends_as_the_task_does(String state, String status, String error)
            throws IOException {
        server.plays(streams(WORKING, WORKING.replace("working", state)));
        Response response = post(NEWER, SEND);
        assertThat(gateway.status(response.header("X-Receipt-Id"))).isEqualTo("running");
        List<JsonNode> events = events(response);
        JsonNode receipt = gateway.receipt(response.header("X-Receipt-Id"));
        assertThat(receipt.path("status").asText()).isEqualTo(status);
        assertThat(receipt.path("error").asText("")).isEqualTo(error);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(status.equals("failed") ? 1 : 0);
        boolean broken = state.equals("working");
        JsonNode last = events.get(events.size() - 1);
        assertThat(last.has("error")).as("a broken stream says so").isEqualTo(broken);
        if (broken) {
            assertThat(last.at("/error/data/0/metadata/receipt_id").asText())
                    .isEqualTo(response.header("X-Receipt-Id"));
        }
    }

    @ParameterizedTest
    @CsvSource({"true, succeeded", "false, failed"})
    void a_task_goes_on_after_a_stream_that_the_agent_ended(boolean whole, String status) throws IOException {
        server.plays((request, out) -> {
            String event = "data: {\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request) + "\",\"result\":"
                    + WORKING + "}\n\n";
            Script.bytes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(event.length()) + "\r\n" + event + "\r\n"
                            + (whole ? "0\r\n\r\n" : "5\r\nda"))
                    .play(request, out);
        });
        Response response = post(NEWER, SEND);
        List<JsonNode> events = events(response);
        assertThat(gateway.status(response.header("X-Receipt-Id"))).isEqualTo(status);
        assertThat(events.get(events.size() - 1).has("error")).isEqualTo(!whole);
    }

    @Test
    void a_message_ends_a_stream_whatever_follows() throws IOException {
        String message =
                """
                        {"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"text","text":"Done."}]}\
                        """;
        server.plays(streams(message, WORKING));
        assertThat(events(post(OLDER, SEND_OLDER))).containsExactly(success(message));
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"kind\":\"other\"}                | agent_malformed_response | -32006",
                "7                                   | agent_malformed_response | -32006",
                "{\"status\":1}                      | agent_malformed_response | -32006"
            })
    void a_part_that_is_none_of_a2a_ends_the_stream(String part, String error, int code) throws IOException {
        server.plays(streams(WORKING, part, COMPLETED));
        Response response = post(NEWER, SEND);
        List<JsonNode> events = events(response);
        assertThat(events).hasSize(2);
        assertThat(events.get(1).at("/error/code").asInt()).isEqualTo(code);
        assertThat(gateway.receipt(response.header("X-Receipt-Id"))
                        .path("error")
                        .asText())
                .isEqualTo(error);
    }

    @Test
    void a_stream_without_a_part_is_no_answer() throws IOException {
        server.plays(streams());
        assertThat(events(post(NEWER, SEND)).get(0).at("/error/code").asInt()).isEqualTo(-32_006);
    }

    @Test
    void an_error_in_the_stream_is_the_agent_s() throws IOException {
        server.plays((request, out) -> Script.bytes(HEAD + "data: {\"jsonrpc\":\"2.0\",\"id\":\""
                        + AgentScripts.id(request) + "\",\"error\":{\"code\":-32603,\"message\":\"out of paper\"}}\n\n")
                .play(request, out));
        Response response = post(NEWER, SEND);
        assertThat(events(response).get(0).path("error"))
                .isEqualTo(Json.stored("{\"code\":-32603,\"message\":\"out of paper\"}"));
        assertThat(gateway.receipt(response.header("X-Receipt-Id"))
                        .path("error")
                        .asText())
                .isEqualTo("agent_rpc_error");
    }

    @Test
    void an_answer_that_does_not_begin_is_an_error_without_a_stream() {
        server.plays(AgentScripts.rpcError("no streams"));
        Response refused = post(NEWER, SEND);
        assertThat(refused.json().path("error")).isEqualTo(Json.stored("{\"code\":-32603,\"message\":\"no streams\"}"));
        assertThat(gateway.status(refused.header("X-Receipt-Id"))).isEqualTo("failed");
        server.plays(Script.status(500));
        assertThat(post(NEWER, SEND).json().at("/error/code").asInt()).isEqualTo(-32_000);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(2);
    }

    @Test
    void an_agent_may_answer_a_stream_as_a_whole() throws IOException {
        server.plays(AgentScripts.task("completed"));
        assertThat(events(post(OLDER, SEND_OLDER))).hasSize(1);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);
    }

    @Test
    void a_caller_that_goes_away_ends_the_stream_and_says_nothing_about_the_agent() throws IOException {
        server.plays(streams(WORKING, ARTIFACT, COMPLETED));
        JsonNode before = gateway.health("a");
        Response response = post(NEWER, SEND);
        OutputStream gone = new OutputStream() {

            private int writes;

            @Override
            public void write(int single) throws IOException {
                throw new IOException("gone");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (++writes > 2) {
                    throw new IOException("gone");
                }
            }
        };
        assertThatThrownBy(() -> write(response, gone)).hasMessage("gone");
        JsonNode receipt = gateway.receipt(response.header("X-Receipt-Id"));
        assertThat(receipt.path("error").asText()).isEqualTo("interrupted");
        assertThat(gateway.health("a")).isEqualTo(before);
        assertThat(events(post(NEWER, SEND))).as("the permit was given back").hasSize(3);
    }

    @Test
    void a_caller_that_goes_away_with_the_last_part_changes_nothing_of_the_result() throws IOException {
        server.plays(streams(COMPLETED));
        Response response = post(NEWER, SEND);
        OutputStream gone = new OutputStream() {

            @Override
            public void write(int single) {}

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (length > 10) {
                    throw new IOException("gone");
                }
            }
        };
        assertThatThrownBy(() -> write(response, gone)).hasMessage("gone");
        assertThat(gateway.status(response.header("X-Receipt-Id"))).isEqualTo("succeeded");
    }

    @Test
    void a_task_of_a_stream_belongs_to_the_caller_while_the_stream_is_open() throws IOException {
        server.plays(streams(WORKING, COMPLETED));
        Response response = post(NEWER, SEND);
        List<JsonNode> found = new ArrayList<>();
        write(response, new ByteArrayOutputStream() {

            @Override
            public synchronized void write(byte[] bytes, int offset, int length) {
                if (length > 10 && found.isEmpty()) {
                    server.plays(AgentScripts.task("working"));
                    found.add(post(
                                    NEWER,
                                    """
                                            {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}\
                                            """)
                            .json());
                }
            }
        });
        assertThat(found.get(0).at("/result/id").asText()).isEqualTo("t");
    }

    @Test
    void a_task_is_followed_without_a_receipt_and_by_its_caller_only() throws IOException {
        server.plays(AgentScripts.task("working"));
        post(NEWER, SEND.replace("SendStreamingMessage", "SendMessage"));
        JsonNode before = gateway.health("a");
        server.plays(streams(WORKING, ARTIFACT));
        Response response = post(NEWER, FOLLOW);
        assertThat(response.header("X-Receipt-Id")).isEmpty();
        List<JsonNode> events = events(response);
        assertThat(events.subList(0, 2)).containsExactly(success(WORKING_NEWER), success(ARTIFACT_NEWER));
        assertThat(events.get(2).has("error")).isTrue();
        assertThat(Json.stored(server.requests().get(1).body()).path("method").asText())
                .isEqualTo("tasks/resubscribe");
        assertThat(gateway.health("a")).as("it is no execution").isEqualTo(before);
        int calls = server.connections();
        assertThat(api.post("/a2a/agents/a")
                        .key(TestSystem.AGENT_KEY)
                        .header("a2a-version", "1.0")
                        .body(FOLLOW)
                        .send()
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32_001);
        assertThat(server.connections()).isEqualTo(calls);
    }

    @Test
    void a_stream_takes_no_idempotency_key() {
        Response refused = post(Map.of("a2a-version", "1.0", "idempotency-key", "\"k\""), SEND);
        assertThat(refused.json().at("/error/code").asInt()).isEqualTo(-32_602);
        assertThat(server.connections()).isZero();
    }

    @Test
    void the_permits_of_streams_are_given_back() throws IOException {
        for (int i = 0; i < 40; i++) {
            server.plays(i % 2 == 0 ? streams(COMPLETED) : Script.status(500));
            Response response = post(NEWER, SEND);
            gateway.system().clock().advanceSeconds(1);
            if (i % 2 == 0) {
                assertThat(events(response)).hasSize(1);
            } else {
                assertThat(response.json().at("/error/code").asInt())
                        .as(response.text())
                        .isEqualTo(-32_000);
            }
        }
    }
}
