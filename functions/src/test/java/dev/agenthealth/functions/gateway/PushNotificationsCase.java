package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** A caller with a receiver of notifications, and an agent that notifies the gateway of its tasks. */
abstract class PushNotificationsCase {

    static final String CALLER = TestSystem.OTHER_AGENT_KEY;

    static final String TOKEN = "the-token-of-the-caller";

    static final String CREDENTIALS = "the-credentials-of-the-caller";

    static final String COMPLETED =
            """
                    {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}\
                    """;

    static final String WORKING = COMPLETED.replace("COMPLETED", "WORKING");

    @AutoClose
    final GatewayHarness gateway = new GatewayHarness();

    final ScriptedServer agent = gateway.server();

    final ScriptedServer receiver = gateway.server();

    boolean promises = true;

    String answer = "";

    @BeforeEach
    void register() {
        agent.plays(this::answer);
        register("1.0");
    }

    void register(String version) {
        gateway.agent("a", GatewayHarness.endpoint(agent), ",\"a2a_version\":\"" + version + "\"");
    }

    /** An agent with a card, whose tasks are all "t". */
    void answer(ScriptedServer.Request request, OutputStream out) throws IOException {
        if (request.line().startsWith("GET ")) {
            Script.body("{\"name\":\"Own\",\"url\":\"" + GatewayHarness.endpoint(agent)
                            + "\",\"capabilities\":{\"pushNotifications\":" + promises + "}}")
                    .play(request, out);
            return;
        }
        String method = Json.stored(request.body()).path("method").asText();
        String task =
                """
                {"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}\
                """;
        String result =
                switch (method) {
                    case "SendMessage" -> answer.isEmpty() ? "{\"task\":" + task + "}" : answer;
                    case "message/send" ->
                        """
                                {"kind":"task","id":"t","contextId":"c","status":{"state":"submitted"}}\
                                """;
                    case "DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete" -> "null";
                    default -> answer.isEmpty() ? "{}" : answer;
                };
        AgentScripts.result(result).play(request, out);
    }

    String url() {
        return GatewayHarness.endpoint(receiver);
    }

    String config(String more) {
        return "{\"url\":\"" + url() + "\"" + more + "}";
    }

    static final String SECRETS = ",\"token\":\"" + TOKEN
            + "\",\"authentication\":{\"scheme\":\"Bearer\",\"credentials\":\"" + CREDENTIALS + "\"}";

    Response rpc(TestApi api, String key, String version, String method, String params) {
        gateway.system().clock().advanceSeconds(1);
        return api.post("/a2a/agents/a")
                .key(key)
                .domain("registry.test")
                .header("a2a-version", version)
                .body("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}")
                .send();
    }

    Response rpc(String method, String params) {
        return rpc(gateway.api(), CALLER, "1.0", method, params);
    }

    static String message(String configuration) {
        return "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"Hello\"}]},"
                + "\"configuration\":" + configuration + "}";
    }

    Response send(String key, String config) {
        return rpc(
                gateway.api(), key, "1.0", "SendMessage", message("{\"taskPushNotificationConfig\":" + config + "}"));
    }

    /** The task is the caller's, and notifications of it are wanted. */
    Registered subscribed() {
        assertThat(send(CALLER, config(SECRETS)).json().has("result")).isTrue();
        return registered();
    }

    /** The configuration that the agent got last. */
    record Registered(String path, String secret, String id) {}

    Registered registered() {
        List<ScriptedServer.Request> requests = agent.requests();
        for (int i = requests.size() - 1; i >= 0; i--) {
            String body = requests.get(i).body();
            JsonNode token = body.isEmpty() ? null : Json.stored(body).findValue("token");
            if (token != null) {
                JsonNode params = Json.stored(body);
                String url = params.findValue("url").asText();
                assertThat(params.findValue("credentials")).isEqualTo(token);
                return new Registered(
                        url.substring(url.indexOf("/a2a/")),
                        token.asText(),
                        params.path("params").findValue("token") == null
                                ? ""
                                : params.findParent("token").path("id").asText());
            }
        }
        throw new AssertionError("the agent got no configuration");
    }

    Response notify(Registered registered, String body) {
        return gateway.api()
                .post(registered.path())
                .header("x-a2a-notification-token", registered.secret())
                .body(body)
                .send();
    }

    ScriptedServer.Request received() {
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.requests()).hasSize(1);
        return receiver.requests().get(0);
    }

    void assertNothingReceived() {
        gateway.deliver();
        assertThat(receiver.connections()).isZero();
    }

    static String signature(ScriptedServer.Request request, String secret) {
        String signed = request.headers().get("webhook-id") + "."
                + request.headers().get("webhook-timestamp") + "." + request.body();
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    Response http(String method, String path, String body) {
        gateway.system().clock().advanceSeconds(1);
        TestApi.Request request = gateway.api()
                .request(method, path)
                .key(CALLER)
                .domain("registry.test")
                .query("A2A-Version", "1.0");
        return (body.isEmpty() ? request : request.body(body)).send();
    }
}
