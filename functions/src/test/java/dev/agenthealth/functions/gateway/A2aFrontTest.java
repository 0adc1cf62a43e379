package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TableContents;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of A2A call agents through the gateway, each in its own version. */
class A2aFrontTest {

    private static final Map<String, String> NEWER = Map.of("a2a-version", "1.0");
    private static final Map<String, String> OLDER = Map.of();
    private static final String SEND =
            """
                    {"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
                    "role":"ROLE_USER","parts":[{"text":"Hello"}]}}}\
                    """;
    private static final String SEND_OLDER =
            """
                    {"jsonrpc":"2.0","id":"x","method":"message/send","params":{"message":{"kind":"message",\
                    "messageId":"m-1","role":"user","parts":[{"kind":"text","text":"Hello"}]},\
                    "configuration":{"blocking":true}}}\
                    """;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");

    @Test
    void a_client_of_1_0_calls_an_agent_of_0_3() {
        Response response = post(NEWER, SEND);
        assertThat(response.json())
                .isEqualTo(
                        Json.stored(
                                """
                                        {"jsonrpc":"2.0","id":7,"result":{"message":{"role":"ROLE_AGENT",\
                                        "messageId":"m","parts":[{"text":"Done."}]}}}\
                                        """));
        JsonNode sent = Json.stored(server.requests().get(0).body());
        assertThat(sent.path("method").asText()).isEqualTo("message/send");
        assertThat(sent.path("params").path("message").path("messageId").asText())
                .isEqualTo("m-1");
        JsonNode receipt = gateway.receipt(response.header("X-Receipt-Id"));
        assertThat(receipt.path("status").asText()).isEqualTo("succeeded");
        assertThat(receipt.path("agent_id").asText()).isEqualTo("a");
    }

    @Test
    void a_client_of_0_3_calls_an_agent_of_1_0() {
        server.plays((request, out) -> {
            boolean newer = "1.0".equals(request.headers().get("a2a-version"));
            String answer = newer
                    ? """
                            "result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}\
                            """
                    : "\"error\":{\"code\":-32601,\"message\":\"no\"}";
            Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request) + "\"," + answer + "}")
                    .play(request, out);
        });
        for (String header : new String[] {"", "0.3", "0.3.0"}) {
            assertThat(post(Map.of("a2a-version", header), SEND_OLDER).json())
                    .isEqualTo(
                            Json.stored(
                                    """
                                            {"jsonrpc":"2.0","id":"x","result":{"kind":"task","id":"t",\
                                            "contextId":"c","status":{"state":"completed"}}}\
                                            """));
        }
        assertThat(server.connections()).as("the version is found out once").isEqualTo(4);
    }

    @Test
    void the_key_may_be_a_bearer_token_and_is_not_passed_on() {
        Response response = gateway.api()
                .post("/a2a/agents/a")
                .header("authorization", "Bearer " + TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", "1.0")
                .body(SEND)
                .send();
        assertThat(response.json().has("result")).as(response.text()).isTrue();
        assertThat(server.requests().get(0).headers())
                .doesNotContainKey("authorization")
                .doesNotContainKey("x-api-key");
        assertThat(gateway.api().post("/a2a/agents/a").body(SEND).send().status())
                .isEqualTo(401);
        assertThat(gateway.api()
                        .post("/a2a/agents/a")
                        .header("authorization", "Bearer wrong")
                        .body(SEND)
                        .send()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void how_the_caller_wants_the_answer_reaches_the_agent() {
        String more =
                """
                        ,"configuration":{"returnImmediately":true,"historyLength":3,\
                        "acceptedOutputModes":["text/plain"]},"metadata":{"k":1},"tenant":""}}\
                        """;
        post(NEWER, SEND.substring(0, SEND.length() - 2) + more);
        JsonNode params = Json.stored(server.requests().get(0).body()).path("params");
        assertThat(params.path("configuration"))
                .isEqualTo(Json.stored(
                        "{\"blocking\":false,\"acceptedOutputModes\":[\"text/plain\"],\"historyLength\":3}"));
        assertThat(params.path("metadata")).isEqualTo(Json.stored("{\"k\":1}"));
    }

    @Test
    void a_task_is_asked_for_without_a_receipt_and_without_counting() {
        server.plays(AgentScripts.task("working"));
        post(NEWER, SEND);
        JsonNode before = gateway.health("a");
        Response response = post(
                NEWER,
                """
                        {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t","historyLength":2}}\
                        """);
        assertThat(response.json().path("result"))
                .isEqualTo(
                        Json.stored(
                                """
                                {"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}\
                                """));
        assertThat(response.header("X-Receipt-Id")).isEmpty();
        assertThat(Json.stored(server.requests().get(1).body()).path("params"))
                .isEqualTo(Json.stored("{\"id\":\"t\",\"historyLength\":2}"));
        assertThat(gateway.health("a")).isEqualTo(before);
        server.plays(AgentScripts.task("failed"));
        assertThat(post(
                                OLDER,
                                """
                {"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}\
                """)
                        .json()
                        .path("result")
                        .path("status")
                        .path("state")
                        .asText())
                .isEqualTo("failed");
    }

    @ParameterizedTest
    @CsvSource({"1.0, CancelTask, TASK_STATE_CANCELED", "0.3, tasks/cancel, canceled"})
    void a_task_is_cancelled_at_an_agent_of_the_other_version_too(String version, String method, String state) {
        String cancel = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method
                + "\",\"params\":{\"id\":\"t\",\"metadata\":{\"why\":\"late\"}}}";
        server.plays(AgentScripts.task("working"));
        post(NEWER, SEND);
        JsonNode before = gateway.health("a");
        server.plays(AgentScripts.task("canceled"));
        Response response = post(Map.of("a2a-version", version), cancel);
        assertThat(response.json().path("result").path("status").path("state").asText())
                .as(response.text())
                .isEqualTo(state);
        assertThat(response.header("X-Receipt-Id")).isEmpty();
        JsonNode sent = Json.stored(server.requests().get(1).body());
        assertThat(sent.path("method").asText()).isEqualTo("tasks/cancel");
        assertThat(sent.path("params"))
                .isEqualTo(Json.stored("""
                {"id":"t","metadata":{"why":"late"}}\
                """));
        assertThat(gateway.health("a")).as("cancelling is no execution").isEqualTo(before);
        server.plays((request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                        + "\",\"error\":{\"code\":-32002,\"message\":\"It has ended.\"}}")
                .play(request, out));
        assertThat(post(Map.of("a2a-version", version), cancel).json().path("error"))
                .isEqualTo(Json.stored("{\"code\":-32002,\"message\":\"It has ended.\"}"));
        int calls = server.connections();
        assertThat(post(Map.of("a2a-version", version), cancel.replace("\"t\"", "\"of-another-key\""))
                        .json()
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32_001);
        assertThat(server.connections()).isEqualTo(calls);
    }

    @Test
    void an_answer_that_is_no_task_is_no_answer_of_a2a() {
        server.plays(AgentScripts.task("working"));
        post(NEWER, SEND);
        server.plays(AgentScripts.result("\"done\""));
        assertError(
                post(
                        NEWER,
                        """
                        {"jsonrpc":"2.0","id":1,"method":"CancelTask","params":{"id":"t"}}\
                        """),
                -32_006,
                "AGENT_MALFORMED_RESPONSE");
    }

    @Test
    void a_task_that_failed_is_a_result_and_counts_as_a_failure_also_when_repeated() {
        server.plays(AgentScripts.task("failed"));
        Map<String, String> headers = Map.of("a2a-version", "1.0", "idempotency-key", "\"k\"");
        for (int i = 0; i < 2; i++) {
            Response response = post(headers, SEND);
            assertThat(response.json()
                            .path("result")
                            .path("task")
                            .path("status")
                            .path("state")
                            .asText())
                    .isEqualTo("TASK_STATE_FAILED");
            JsonNode receipt = gateway.receipt(response.header("X-Receipt-Id"));
            assertThat(receipt.path("status").asText()).isEqualTo("failed");
            assertThat(receipt.path("output").path("kind").asText()).isEqualTo("task");
            assertThat(receipt.has("agent_error")).isFalse();
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
    }

    @Test
    void a_repeated_request_calls_the_agent_once_whatever_version_it_is_in() {
        Response first = post(Map.of("a2a-version", "1.0", "idempotency-key", "\"k\""), SEND);
        Response second = post(Map.of("idempotency-key", "\"k\""), SEND_OLDER);
        assertThat(second.header("X-Receipt-Id")).isEqualTo(first.header("X-Receipt-Id"));
        assertThat(second.json().path("result").path("kind").asText()).isEqualTo("message");
        Response other = post(Map.of("a2a-version", "1.0", "idempotency-key", "\"k\""), SEND.replace("Hello", "Bye"));
        assertError(other, -32_602, "IDEMPOTENCY_KEY_REUSED");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void the_agent_s_own_error_is_passed_on() {
        server.plays(AgentScripts.rpcError("out of paper"));
        Response response = post(NEWER, SEND);
        assertThat(response.json().path("error"))
                .isEqualTo(Json.stored("{\"code\":-32603,\"message\":\"out of paper\"}"));
        assertThat(gateway.receipt(response.header("X-Receipt-Id"))
                        .path("error")
                        .asText())
                .isEqualTo("agent_rpc_error");
    }

    @Test
    void failures_and_blocks_are_errors_with_a_reason() {
        server.plays(Script.status(500));
        Response failed = post(NEWER, SEND);
        assertError(failed, -32_000, "AGENT_ERROR");
        assertThat(failed.json()
                        .path("error")
                        .path("data")
                        .get(0)
                        .path("metadata")
                        .path("receipt_id")
                        .asText())
                .isEqualTo(failed.header("X-Receipt-Id"));
        server.plays(Script.body("nonsense"));
        assertError(post(NEWER, SEND), -32_006, "AGENT_MALFORMED_RESPONSE");
        assertError(gateway.api(), "unknown", -32_000, "AGENT_NOT_FOUND");
        int calls = server.connections();
        gateway.block("agents/a");
        assertError(403, post(NEWER, SEND), -32_000, "AGENT_BLOCKED");
        assertError(
                403,
                post(
                        NEWER,
                        """
                        {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}\
                        """),
                -32_000,
                "AGENT_BLOCKED");
        assertError(403, post(gateway.deployed(), "a", NEWER, SEND), -32_000, "AGENT_BLOCKED");
        gateway.unblock("agents/a");
        assertError(gateway.deployed(), "a", -32_000, "ENDPOINT_NOT_ALLOWED");
        assertThat(server.connections()).isEqualTo(calls);
    }

    @Test
    void a_message_without_an_id_is_refused() {
        Response newer = post(NEWER, SEND.replace("\"messageId\":\"m-1\",", ""));
        assertError(newer, -32_602, "INVALID_REQUEST");
        assertThat(newer.text()).contains("messageId is required");
        assertError(post(OLDER, SEND_OLDER.replace("\"messageId\":\"m-1\",", "")), -32_602, "INVALID_REQUEST");
        assertThat(server.connections()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1.0; SendStreamingMessage; -32004",
                "1.0; SubscribeToTask; -32004",
                "1.0; message/send; -32601",
                "1.0; ; -32601",
                "''; SendMessage; -32601",
                "''; message/stream; -32004",
                "''; tasks/resubscribe; -32004",
                "2.0; SendMessage; -32009",
                "0.2; message/send; -32009",
                "1.0.0.0; SendMessage; -32009",
                "latest; SendMessage; -32009"
            })
    void what_the_gateway_does_not_offer_is_the_protocol_s_own_error(String version, String method, int code) {
        TableContents before = TableContents.of(gateway.system().tables());
        String body = SEND.replace("SendMessage", method == null ? "" : method);
        Response response = post(Map.of("a2a-version", version), body);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("error").path("code").asInt()).isEqualTo(code);
        assertThat(response.json().path("id").asInt()).isEqualTo(7);
        assertThat(TableContents.of(gateway.system().tables())).isEqualTo(before);
        assertThat(server.connections()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "; -32700",
                "{; -32700",
                "{\"id\":1,\"id\":2}; -32700",
                "[]; -32600",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"t\"}}]; -32600",
                "3; -32600",
                "{}; -32600",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{}}; -32600",
                "{\"jsonrpc\":\"2.0\",\"method\":\"GetTask\",\"params\":{\"id\":\"t\"}}; -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"GetTask\",\"params\":{\"id\":\"t\"}}; -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"GetTask\",\"params\":{\"id\":\"t\"}}; -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7,\"params\":{}}; -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\"}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":[]}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"\"}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"t\",\"historyLength\":-1}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":\"Hello\"}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"parts\":[]}}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"x\"}]}}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"parts\":[{\"text\":\"x\"}]},\"configuration\":7}}; -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"parts\":[{\"text\":\"x\"}]},\"configuration\":{\"taskPushNotificationConfig\":{\"token\":\"x\"}}}}; -32602"
            })
    void a_request_that_is_not_one_is_the_protocol_s_own_error_and_changes_nothing(String body, int code) {
        TableContents before = TableContents.of(gateway.system().tables());
        Response response = post(NEWER, body == null ? "" : body);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("error").path("code").asInt())
                .as(response.text())
                .isEqualTo(code);
        assertThat(response.json().path("jsonrpc").asText()).isEqualTo("2.0");
        assertThat(response.json().has("id")).isTrue();
        assertThat(TableContents.of(gateway.system().tables())).isEqualTo(before);
        assertThat(server.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {262_144, 400_000})
    void a_message_that_is_too_large_is_the_protocol_s_own_error(int length) {
        Response response = post(NEWER, SEND.replace("Hello", "x".repeat(length)));
        assertError(response, -32_600, "PAYLOAD_TOO_LARGE");
        assertThat(server.connections()).isZero();
    }

    @Test
    void a_caller_that_calls_too_often_waits_as_on_other_routes() {
        Response response = post(NEWER, SEND);
        for (int i = 0; i < 200 && response.status() == 200; i++) {
            response = post(NEWER, SEND);
        }
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.header("Retry-After")).isNotEmpty();
        assertThat(response.json().path("error").asText()).isEqualTo("rate_limited");
    }

    private Response post(Map<String, String> headers, String body) {
        return post(gateway.api(), "a", headers, body);
    }

    private static Response post(TestApi api, String agentId, Map<String, String> headers, String body) {
        var request = api.post("/a2a/agents/" + agentId).key(TestSystem.OTHER_AGENT_KEY);
        headers.forEach(request::header);
        return request.body(body).send();
    }

    private static void assertError(TestApi api, String agentId, int code, String reason) {
        assertError(post(api, agentId, NEWER, SEND), code, reason);
    }

    private static void assertError(Response response, int code, String reason) {
        assertError(200, response, code, reason);
    }

    private static void assertError(int status, Response response, int code, String reason) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        JsonNode error = response.json().path("error");
        assertThat(error.path("code").asInt()).as(response.text()).isEqualTo(code);
        assertThat(error.path("data").get(0).path("reason").asText()).isEqualTo(reason);
        assertThat(error.path("data").get(0).path("@type").asText())
                .isEqualTo("type.googleapis.com/google.rpc.ErrorInfo");
    }
}
