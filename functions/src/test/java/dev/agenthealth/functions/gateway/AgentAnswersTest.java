package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers and the registry learn from the answers of agents, and from timeouts. */
@Tag("SN-06")
class AgentAnswersTest {

    private static final String HASTY = "{\"message\":\"Hello\",\"timeout_ms\":300}";

    /** A message of A2A 1.0. */
    private static final String NEWER =
            """
                    {"message":{"role":"ROLE_AGENT","messageId":"m","parts":[{"text":"Done."}]}}\
                    """;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @Test
    void the_agent_s_own_error_reaches_the_caller() {
        gateway.agent("a", gateway.server().plays(error(-32_050, "\"no budget\"", "{\"limit\":7}")));
        Response answer = gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.json().path("error").asText()).isEqualTo("agent_rpc_error");
        assertThat(answer.json().path("agent_error"))
                .isEqualTo(
                        Json.stored(
                                """
                        {"code":-32050,"message":"no budget","data":{"limit":7}}\
                        """));
    }

    @Test
    void the_agent_s_own_error_is_in_the_receipt_and_in_the_repeated_answer() {
        gateway.agent("a", gateway.server().plays(error(-32_050, "\"no budget\"", "null")));
        JsonNode expected = Json.stored("{\"code\":-32050,\"message\":\"no budget\"}");
        String receiptId = gateway.invokeAsync("a", GatewayHarness.HELLO)
                .json()
                .path("receipt_id")
                .asText();
        gateway.deliver();
        assertThat(gateway.receipt(receiptId).path("agent_error")).isEqualTo(expected);
        assertThat(gateway.receipt(receiptId).path("output").isNull()).isTrue();
        for (int i = 0; i < 2; i++) {
            Response answer = gateway.api()
                    .post("/v1/agents/a/invoke")
                    .key(TestSystem.OTHER_AGENT_KEY)
                    .header("idempotency-key", "once")
                    .body(GatewayHarness.HELLO)
                    .send();
            assertThat(answer.json().path("agent_error")).isEqualTo(expected);
        }
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(2);
    }

    @Test
    void the_agent_s_own_error_is_bounded() {
        gateway.agent(
                "a",
                gateway.server()
                        .plays(error(
                                1, "\"" + "\\ud83d\\ude00".repeat(5_000) + "\"", "\"" + "x".repeat(5_000) + "\"")));
        JsonNode error = gateway.invoke("a", GatewayHarness.HELLO).json().path("agent_error");
        assertThat(error.path("message").asText()).isEqualTo("\ud83d\ude00".repeat(1_000));
        assertThat(error.has("data")).isFalse();
    }

    @Test
    void a_timeout_shorter_than_five_seconds_is_no_evidence_against_the_agent() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> server.hang());
        gateway.agent("a", server);
        Response answer = gateway.invoke("a", HASTY);
        assertThat(answer.status()).isEqualTo(504);
        String receiptId = answer.json().path("receipt_id").asText();
        assertThat(gateway.receipt(receiptId).path("status").asText()).isEqualTo("failed");
        assertThat(gateway.receipt(receiptId).path("error").asText()).isEqualTo("agent_timeout");
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
        assertThat(gateway.health("a").path("last_seen_at").isTextual()).isTrue();
        assertThat(gateway.health("a").path("status").asText()).isEqualTo("unknown");
        assertThat(gateway.reputation("a")).isEqualTo(0.5);
        assertThat(gateway.outcomes("a").executions()).isZero();
        assertThat(gateway.repair().counted()).isZero();
        assertThat(gateway.outcomes("a").executions()).isZero();
    }

    @Test
    void a_timeout_as_long_as_the_declared_sla_is_evidence() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> server.hang());
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"expectations\":{\"sla_ms\":300}");
        gateway.agent("b", GatewayHarness.endpoint(server), ",\"expectations\":{\"sla_ms\":301}");
        gateway.invoke("a", HASTY);
        gateway.invoke("b", HASTY);
        assertThat(gateway.outcomes("a").get(OutcomeCounter.TIMEOUTS)).isEqualTo(1);
        assertThat(gateway.outcomes("b").executions()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {-32_601, -32_009})
    void an_agent_that_speaks_a2a_1_0_without_saying_so_is_recognised_and_remembered(int code) {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> (request.body().contains("\"SendMessage\"")
                        ? AgentScripts.result(NEWER)
                        : error(code, "\"Method not found\"", "null"))
                .play(request, out));
        gateway.agent("a", server);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().get(1).headers()).containsEntry("a2a-version", "1.0");
        assertThat(gateway.health("a").path("failure_count").asInt()).isZero();
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(1);

        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(server.requests()).as("the second call needs one request").hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"a2a_version\":\"1.0\""})
    void an_agent_whose_update_to_1_0_is_taken_back_is_called_in_0_3(String declared) {
        ScriptedServer server = gateway.server();
        AtomicBoolean updated = new AtomicBoolean(true);
        server.plays((request, out) -> {
            boolean newer = request.body().contains("\"SendMessage\"");
            Script answer = newer ? AgentScripts.result(NEWER) : AgentScripts.message();
            (newer == updated.get() ? answer : error(-32_601, "\"Method not found\"", "null")).play(request, out);
        });
        gateway.agent("a", GatewayHarness.endpoint(server), declared);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        updated.set(false);
        int before = server.requests().size();
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(server.requests()).as("only one call needs two requests").hasSize(before + 3);
    }

    @Test
    void an_error_in_0_3_leaves_an_agent_of_1_0_in_its_version() {
        ScriptedServer server = gateway.server();
        AtomicBoolean starting = new AtomicBoolean();
        server.plays((request, out) -> {
            boolean newer = request.body().contains("\"SendMessage\"");
            Script refused = error(newer ? -32_601 : -32_600, "\"No.\"", "null");
            (newer && !starting.get() ? AgentScripts.result(NEWER) : refused).play(request, out);
        });
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"a2a_version\":\"1.0\"");
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        starting.set(true);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(502);
        starting.set(false);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    @Test
    void a_call_that_recognises_the_version_cannot_make_an_operators_if_match_fail() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> (request.body().contains("\"SendMessage\"")
                        ? AgentScripts.result(NEWER)
                        : error(-32_601, "\"Method not found\"", "null"))
                .play(request, out));
        gateway.agent("a", server);
        TestApi api = gateway.system().api();
        Response read =
                api.get("/api/v1/agents/a").key(TestSystem.ADMINISTRATOR_KEY).send();
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        Response changed = api.patch("/api/v1/agents/a")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("if-match", read.header("ETag"))
                .body("{\"name\":\"Named\"}")
                .send();
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().path("a2a_version").asText())
                .as("as declared")
                .isEqualTo("0.3");
    }

    @Test
    void another_endpoint_is_asked_anew_for_its_version() {
        ScriptedServer newer = gateway.server().plays(AgentScripts.result(NEWER));
        TestAgent agent = gateway.agent("a", GatewayHarness.endpoint(newer), ",\"a2a_version\":\"1.0\"");
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        ScriptedServer older = gateway.server().plays(AgentScripts.message());
        Response changed = gateway.system()
                .api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("if-match", "*")
                .body("{\"a2a_version\":null,\"endpoint\":\"" + GatewayHarness.endpoint(older) + "\"}")
                .send();
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(gateway.invoke(agent.id(), GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(older.requests()).hasSize(1);
    }

    @Test
    void the_worker_recognises_the_version_too() {
        ScriptedServer server = gateway.server();
        server.plays((request, out) -> (request.body().contains("\"SendMessage\"")
                        ? AgentScripts.result(NEWER)
                        : error(-32_601, "\"Method not found\"", "null"))
                .play(request, out));
        gateway.agent("a", server);
        for (int requests = 2; requests <= 3; requests++) {
            String receiptId = gateway.invokeAsync("a", GatewayHarness.HELLO)
                    .json()
                    .path("receipt_id")
                    .asText();
            gateway.deliver();
            assertThat(gateway.receipt(receiptId).path("status").asText()).isEqualTo("succeeded");
            assertThat(server.requests()).hasSize(requests);
        }
    }

    @Test
    void an_agent_that_knows_neither_method_fails_once() {
        ScriptedServer server = gateway.server().plays(error(-32_601, "\"Method not found\"", "null"));
        gateway.agent("a", server);
        Response answer = gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(answer.json().path("agent_error").path("code").asInt()).isEqualTo(-32_601);
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
        gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(server.requests()).as("nothing was remembered").hasSize(4);
    }

    private static Script error(int code, String message, String data) {
        return (request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                        + "\",\"error\":{\"code\":" + code + ",\"message\":" + message + ",\"data\":" + data + "}}")
                .play(request, out);
    }
}
