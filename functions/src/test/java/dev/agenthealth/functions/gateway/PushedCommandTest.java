package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.InvocationWorkerFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Commands are posted to the endpoints of agents that accept them; the answers to heartbeats carry them whatever becomes of that. */
@Tag("R16-38")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PushedCommandTest {

    private static final String ACCEPTS = ",\"accepts_push\":true";
    private static final String TOKEN = "the-agent-s-token";

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.server();

    @ParameterizedTest
    @ValueSource(strings = {"drain", "restart"})
    void an_agent_receives_a_command_once_with_a_signature_that_it_can_verify(String command) {
        TestAgent agent = callable(ACCEPTS);
        send(command);
        assertThat(server.connections()).as("the request waits for no agent").isZero();
        assertThat(gateway.deliver()).isZero();
        assertThat(server.requests()).hasSize(1);
        ScriptedServer.Request request = server.requests().get(0);
        assertThat(request.headers())
                .containsEntry("webhook-signature", "v1," + signature(request))
                .containsEntry(
                        "webhook-timestamp",
                        Long.toString(gateway.system().clock().instant().getEpochSecond()))
                .containsEntry("authorization", "Bearer " + TOKEN);
        JsonNode body = Json.stored(request.body());
        assertThat(body.path("type").asText()).isEqualTo("agent_health.command");
        assertThat(body.path("data").toString())
                .isEqualTo("{\"agent_id\":\"a\",\"command\":\"" + command + "\",\"reason\":\"upgrade\","
                        + "\"drain_timeout_seconds\":77,\"requested_by\":\""
                        + TestSystem.keyId(TestSystem.COORDINATOR_KEY) + "\"}");
        assertPending(agent);
        gateway.deliver();
        assertThat(server.requests().get(1).headers().get("webhook-id"))
                .as("a duplicate of the queue is recognised by its id")
                .isEqualTo(request.headers().get("webhook-id"));
    }

    /** As a receiver computes it from the credential that it shares with the registry. */
    private static String signature(ScriptedServer.Request request) {
        String signed = request.headers().get("webhook-id") + "."
                + request.headers().get("webhook-timestamp") + "." + request.body();
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(TOKEN.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void an_agent_that_does_not_accept_them_gets_nothing() {
        TestAgent agent = callable("");
        send("drain");
        assertThat(gateway.system().sqs().messages()).isEmpty();
        assertPending(agent);
    }

    @Test
    void an_agent_without_a_credential_gets_nothing_that_is_unsigned() {
        TestAgent agent = gateway.agent("a", GatewayHarness.endpoint(server), ACCEPTS);
        send("drain");
        assertUndelivered(agent, "no_credential");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 401, 503})
    void an_endpoint_that_refuses_changes_nothing(int status) {
        TestAgent agent = callable(ACCEPTS);
        server.plays(ScriptedServer.Script.status(status, "Location: http://" + GatewayHarness.HOST + "/"));
        send("drain");
        try (CapturedOutput log = new CapturedOutput()) {
            assertThat(gateway.deliver(logging()))
                    .as("there is no second attempt")
                    .isZero();
            assertThat(log.text()).contains("command_not_delivered", "status_" + status);
        }
        assertThat(server.connections()).isEqualTo(1);
        assertPending(agent);
    }

    @Test
    void an_endpoint_that_closes_the_connection_or_has_no_address_changes_nothing() {
        TestAgent agent = callable(ACCEPTS);
        server.plays((request, out) -> {});
        send("drain");
        assertThat(gateway.deliver()).isZero();
        assertPending(agent);
        patch("{\"endpoint\":\"https://nowhere.test/\"}");
        setCredential();
        assertUndelivered(agent, "unknown_host");
    }

    @Test
    void an_endpoint_that_never_answers_is_left_after_the_timeout() {
        TestAgent agent = callable(ACCEPTS);
        server.plays((request, out) -> server.hang());
        send("drain");
        try (CapturedOutput log = new CapturedOutput()) {
            gateway.commands(Duration.ofMillis(200)).deliver("a", "message");
            assertThat(log.text()).contains("command_not_delivered", "\"timeout\"");
        }
        assertPending(agent);
    }

    @Test
    void a_private_endpoint_is_not_called() {
        TestAgent agent = callable(ACCEPTS);
        send("drain");
        try (CapturedOutput log = new CapturedOutput()) {
            assertThat(gateway.deliver(gateway.deployedWorker())).isZero();
            assertThat(log.text()).contains("command_not_delivered", "endpoint_not_allowed");
        }
        assertThat(server.connections()).isZero();
        assertPending(agent);
    }

    @Test
    void a_queue_that_fails_does_not_fail_the_request() {
        TestAgent agent = callable(ACCEPTS);
        for (int i = 0; i < 3; i++) {
            gateway.system().sqs().failSend(SqsException.builder().build());
        }
        send("drain");
        assertThat(gateway.system().sqs().messages()).isEmpty();
        assertPending(agent);
    }

    @Test
    void a_command_that_was_withdrawn_is_not_posted() {
        callable(ACCEPTS);
        send("drain");
        assertThat(gateway.system()
                        .api()
                        .delete("/api/v1/agents/a/commands/drain")
                        .key(TestSystem.COORDINATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(gateway.deliver()).isZero();
        assertThat(server.connections()).isZero();
    }

    @Test
    void a_drain_by_a_tool_of_mcp_is_posted_too() {
        callable(ACCEPTS);
        Response called = gateway.api()
                .post("/mcp")
                .key(TestSystem.COORDINATOR_KEY)
                .body(
                        """
                        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drain_agent",\
                        "arguments":{"agent_id":"a"}}}\
                        """)
                .send();
        assertThat(called.status()).as(called.text()).isEqualTo(200);
        gateway.deliver();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void it_is_declared_changed_and_shown_and_needs_an_endpoint() {
        Response refused = new TestAgent(gateway.system(), "b").register(ACCEPTS);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("accepts_push");
        Response pushed = new TestAgent(gateway.system(), "b")
                .register(ACCEPTS + ",\"kind\":\"mcp_server\",\"endpoint\":\"https://b.example/mcp\"");
        assertThat(pushed.json().at("/errors/0/field").asText()).isEqualTo("accepts_push");
        gateway.agent("a", GatewayHarness.endpoint(server), "");
        assertThat(patch("{\"name\":\"n\"}").json().path("accepts_push").toString())
                .isEqualTo("false");
        Response changed = patch("{\"accepts_push\":true}");
        assertThat(changed.json().path("accepts_push").toString()).isEqualTo("true");
        Response without = patch("{\"endpoint\":null}");
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.json().at("/errors/0/field").asText()).isEqualTo("accepts_push");
        assertThat(patch("{\"endpoint\":null,\"accepts_push\":null}")
                        .json()
                        .path("accepts_push")
                        .toString())
                .isEqualTo("false");
    }

    private void assertUndelivered(TestAgent agent, String reason) {
        try (CapturedOutput log = new CapturedOutput()) {
            assertThat(gateway.deliver(logging())).isZero();
            assertThat(log.text()).contains("command_not_delivered", reason);
        }
        assertPending(agent);
    }

    /** A worker whose log is captured: a log writes where it was made to write. */
    private InvocationWorkerFunction logging() {
        return gateway.workerThrough(gateway.system().dynamoDb());
    }

    private static void assertPending(TestAgent agent) {
        assertThat(agent.sendHeartbeat().json().get("pending_commands"))
                .as("the answers to heartbeats carry it")
                .hasSize(1);
    }

    /** An agent with a credential for its endpoint, which is the server. */
    private TestAgent callable(String more) {
        TestAgent agent = gateway.agent("a", GatewayHarness.endpoint(server), more);
        setCredential();
        return agent;
    }

    private void setCredential() {
        assertThat(gateway.api()
                        .put("/v1/agents/a/credential")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"bearer_token\":\"" + TOKEN + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private void send(String command) {
        Response sent = gateway.system()
                .api()
                .post("/api/v1/agents/a/commands")
                .key(TestSystem.COORDINATOR_KEY)
                .body("{\"command\":\"" + command + "\",\"reason\":\"upgrade\",\"drain_timeout_seconds\":77}")
                .send();
        assertThat(sent.status()).as(sent.text()).isEqualTo(202);
    }

    private Response patch(String body) {
        return gateway.system()
                .api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send();
    }
}
