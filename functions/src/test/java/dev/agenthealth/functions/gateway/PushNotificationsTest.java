package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestSqs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The gateway receives the notifications of agents, and sends them to the callers that want them. */
class PushNotificationsTest {

    private static final String CALLER = TestSystem.OTHER_AGENT_KEY;
    private static final String TOKEN = "the-token-of-the-caller";
    private static final String CREDENTIALS = "the-credentials-of-the-caller";
    private static final String COMPLETED =
            """
                    {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}\
                    """;
    private static final String WORKING = COMPLETED.replace("COMPLETED", "WORKING");

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer agent = gateway.server();
    private final ScriptedServer receiver = gateway.server();

    private boolean promises = true;
    private String answer = "";

    @BeforeEach
    void register() {
        agent.plays(this::answer);
        register("1.0");
    }

    private void register(String version) {
        gateway.agent("a", GatewayHarness.endpoint(agent), ",\"a2a_version\":\"" + version + "\"");
    }

    /** An agent with a card, whose tasks are all "t". */
    private void answer(ScriptedServer.Request request, OutputStream out) throws IOException {
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

    private String url() {
        return GatewayHarness.endpoint(receiver);
    }

    private String config(String more) {
        return "{\"url\":\"" + url() + "\"" + more + "}";
    }

    private static final String SECRETS = ",\"token\":\"" + TOKEN
            + "\",\"authentication\":{\"scheme\":\"Bearer\",\"credentials\":\"" + CREDENTIALS + "\"}";

    private static final String SECRETS_OLDER = SECRETS.replace("\"scheme\":\"Bearer\"", "\"schemes\":[\"Bearer\"]");

    private Response rpc(TestApi api, String key, String version, String method, String params) {
        gateway.system().clock().advanceSeconds(1);
        return api.post("/a2a/agents/a")
                .key(key)
                .domain("registry.test")
                .header("a2a-version", version)
                .body("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}")
                .send();
    }

    private Response rpc(String method, String params) {
        return rpc(gateway.api(), CALLER, "1.0", method, params);
    }

    private static String message(String configuration) {
        return "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"Hello\"}]},"
                + "\"configuration\":" + configuration + "}";
    }

    private Response send(String key, String config) {
        return rpc(
                gateway.api(), key, "1.0", "SendMessage", message("{\"taskPushNotificationConfig\":" + config + "}"));
    }

    /** The task is the caller's, and notifications of it are wanted. */
    private Registered subscribed() {
        assertThat(send(CALLER, config(SECRETS)).json().has("result")).isTrue();
        return registered();
    }

    /** The configuration that the agent got last. */
    private record Registered(String path, String secret, String id) {}

    private Registered registered() {
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

    private Response notify(Registered registered, String body) {
        return gateway.api()
                .post(registered.path())
                .header("x-a2a-notification-token", registered.secret())
                .body(body)
                .send();
    }

    private ScriptedServer.Request received() {
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.requests()).hasSize(1);
        return receiver.requests().get(0);
    }

    private void assertNothingReceived() {
        gateway.deliver();
        assertThat(receiver.connections()).isZero();
    }

    private static String signature(ScriptedServer.Request request, String secret) {
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

    @ParameterizedTest
    @CsvSource({"1.0, 1.0", "1.0, 0.3", "0.3, 1.0", "0.3, 0.3"})
    void a_caller_receives_in_its_version_what_the_agent_notifies_the_gateway_of(String caller, String spoken) {
        boolean newer = caller.equals("1.0");
        if (spoken.equals("0.3")) {
            gateway.system()
                    .api()
                    .patch("/api/v1/agents/a")
                    .key(TestSystem.AGENT_KEY)
                    .header("if-match", "*")
                    .body("{\"a2a_version\":\"0.3\"}")
                    .send();
        }
        String name = newer ? "taskPushNotificationConfig" : "pushNotificationConfig";
        Response sent = rpc(
                gateway.api(),
                CALLER,
                caller,
                newer ? "SendMessage" : "message/send",
                message("{\"" + name + "\":" + config(newer ? SECRETS : SECRETS_OLDER) + "}"));
        assertThat(sent.json().has("result")).as(sent.text()).isTrue();
        JsonNode toAgent = Json.stored(
                        agent.requests().get(agent.requests().size() - 1).body())
                .at("/params/configuration/"
                        + (spoken.equals("1.0") ? "taskPushNotificationConfig" : "pushNotificationConfig"));
        assertThat(toAgent.at(spoken.equals("1.0") ? "/authentication/scheme" : "/authentication/schemes/0")
                        .asText())
                .isEqualTo("Bearer");
        assertThat(toAgent.toString())
                .as("nothing of the caller's")
                .doesNotContain(TOKEN, CREDENTIALS, ":" + receiver.port());
        String body = spoken.equals("1.0")
                ? COMPLETED
                : """
                        {"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}\
                        """;
        assertThat(notify(registered(), body).status()).isEqualTo(204);
        assertThat(receiver.connections()).as("the agent waits for no caller").isZero();
        ScriptedServer.Request request = received();
        assertThat(request.headers())
                .containsEntry("x-a2a-notification-token", TOKEN)
                .containsEntry("authorization", "Bearer " + CREDENTIALS)
                .containsEntry("content-type", newer ? "application/a2a+json" : "application/json")
                .containsEntry("webhook-signature", signature(request, TOKEN));
        JsonNode notified = Json.stored(request.body());
        if (newer) {
            assertThat(notified.findValue("state").asText()).isEqualTo("TASK_STATE_COMPLETED");
            assertThat(notified.has(spoken.equals("1.0") ? "statusUpdate" : "task"))
                    .isTrue();
        } else {
            assertThat(notified)
                    .isEqualTo(
                            Json.stored(
                                    """
                                            {"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}\
                                            """));
        }
        gateway.deliver();
        assertThat(receiver.connections())
                .as("a duplicate of the queue is not sent")
                .isEqualTo(1);
    }

    @Test
    void secrets_are_encrypted_where_they_are_stored_and_no_answer_shows_them() {
        subscribed();
        notify(registered(), COMPLETED);
        assertThat(TableContents.of(gateway.system().tables()).toString())
                .doesNotContain(TOKEN, CREDENTIALS, registered().secret(), url());
        assertThat(gateway.system().sqs().messages())
                .extracting(TestSqs.Message::body)
                .noneMatch(body -> body.contains("COMPLETED"));
        for (String method : List.of("GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs")) {
            assertThat(rpc(method, "{\"taskId\":\"t\",\"id\":\"t\"}").text())
                    .contains(url(), "Bearer")
                    .doesNotContain(TOKEN, CREDENTIALS, registered().secret());
        }
    }

    @Test
    void only_the_agent_notifies_of_its_tasks() {
        Registered registered = subscribed();
        TableContents before = TableContents.of(gateway.system().tables());
        for (Registered forged : List.of(
                new Registered(registered.path(), "wrong", ""),
                new Registered(registered.path(), "", ""),
                new Registered(registered.path(), TOKEN, ""),
                new Registered(registered.path(), CALLER, ""),
                new Registered(registered.path().replace("/agents/a/", "/agents/b/"), registered.secret(), ""),
                new Registered(registered.path().replaceAll("[^/]+$", "x y"), registered.secret(), ""),
                new Registered(registered.path() + "0", registered.secret(), ""))) {
            Response refused = notify(forged, COMPLETED);
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.json().path("error").asText()).isEqualTo("notification_not_expected");
        }
        for (String body : List.of(
                "",
                "{",
                "[]",
                "7",
                "{}",
                "{\"task\":7}",
                "{\"kind\":\"task\"}",
                WORKING.replace("TASK_STATE_WORKING", "DANCING"),
                WORKING.replace("\"t\"", "\"\""),
                WORKING.replace("\"t\"", "\"another\""))) {
            assertThat(notify(registered, body).status()).as(body).isEqualTo(400);
        }
        assertThat(notify(registered, "{\"x\":\"" + "x".repeat(262_144) + "\"}").status())
                .isEqualTo(413);
        assertThat(TableContents.of(gateway.system().tables())).isEqualTo(before);
        assertNothingReceived();
        assertThat(gateway.api()
                        .post(registered.path())
                        .header("authorization", "bearer " + registered.secret())
                        .body(WORKING)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_notification_before_the_answer_makes_the_task_the_caller_s() {
        agent.plays((request, out) -> {
            if (request.line().startsWith("POST ")) {
                Registered registered = new Registered(
                        Json.stored(request.body()).findValue("url").asText().replaceFirst(".*(?=/a2a/)", ""),
                        Json.stored(request.body()).findValue("token").asText(),
                        "");
                assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
                Script.status(500).play(request, out);
            } else {
                answer(request, out);
            }
        });
        assertThat(send(CALLER, config(SECRETS)).json().has("error")).isTrue();
        received();
        agent.plays(this::answer);
        answer = """
                {"id":"t","status":{"state":"TASK_STATE_COMPLETED"}}\
                """;
        assertThat(rpc("GetTask", "{\"id\":\"t\"}").json().at("/result/id").asText())
                .isEqualTo("t");
        assertThat(rpc("ListTaskPushNotificationConfigs", "{\"taskId\":\"t\"}")
                        .json()
                        .at("/result/configs"))
                .hasSize(1);
    }

    @Test
    void a_message_in_place_of_a_task_leaves_no_subscription() {
        answer =
                """
                {"message":{"role":"ROLE_AGENT","messageId":"x","parts":[{"text":"Done."}]}}\
                """;
        assertThat(send(CALLER, config("")).json().at("/result/message").isObject())
                .isTrue();
        assertThat(notify(registered(), COMPLETED).status()).isEqualTo(404);
    }

    @Test
    void configurations_are_set_read_listed_and_deleted_in_both_versions_and_bindings() {
        send(CALLER, config(""));
        Response created = rpc(
                "CreateTaskPushNotificationConfig",
                "{\"taskId\":\"t\",\"id\":\"mine\"," + config(SECRETS).substring(1));
        JsonNode shown = Json.stored("{\"taskId\":\"t\",\"id\":\"mine\",\"url\":\"" + url()
                + "\",\"authentication\":{\"scheme\":\"Bearer\"}}");
        assertThat(created.json().path("result")).isEqualTo(shown);
        assertThat(rpc("GetTaskPushNotificationConfig", "{\"taskId\":\"t\",\"id\":\"mine\"}")
                        .json()
                        .path("result"))
                .isEqualTo(shown);
        JsonNode older = rpc(
                        gateway.api(),
                        CALLER,
                        "0.3",
                        "tasks/pushNotificationConfig/get",
                        "{\"id\":\"t\",\"pushNotificationConfigId\":\"mine\"}")
                .json()
                .path("result");
        assertThat(older)
                .isEqualTo(Json.stored("{\"taskId\":\"t\",\"pushNotificationConfig\":{\"id\":\"mine\",\"url\":\""
                        + url() + "\",\"authentication\":{\"schemes\":[\"Bearer\"]}}}"));
        JsonNode list = rpc(gateway.api(), CALLER, "0.3", "tasks/pushNotificationConfig/list", "{\"id\":\"t\"}")
                .json()
                .path("result");
        assertThat(list.findValuesAsText("id")).containsExactly("mine", "t");
        String path = "/a2a/agents/a/tasks/t/pushNotificationConfigs";
        assertThat(http("GET", path, "").json().path("configs")).hasSize(2);
        assertThat(http("GET", path + "/mine", "").json()).isEqualTo(shown);
        JsonNode third = http("POST", path, config(",\"id\":\"third\"")).json();
        assertThat(third.path("id").asText()).isEqualTo("third");
        Registered registered = registered();
        Response deleted = http("DELETE", path + "/third", "");
        assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
        assertThat(deleted.text()).isEqualTo("{}");
        JsonNode last =
                Json.stored(agent.requests().get(agent.requests().size() - 1).body());
        assertThat(last.path("method").asText()).isEqualTo("DeleteTaskPushNotificationConfig");
        assertThat(last.path("params"))
                .isEqualTo(Json.object().put("taskId", "t").put("id", registered.id()));
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(404);
        int calls = agent.connections();
        assertThat(http("DELETE", path + "/third", "").status())
                .as("deleting is idempotent")
                .isEqualTo(200);
        assertThat(agent.connections()).isEqualTo(calls);
        Response gone = http("GET", path + "/third", "");
        assertThat(gone.status()).isEqualTo(404);
        assertThat(gone.json().at("/error/details/0/reason").asText()).isEqualTo("TASK_NOT_FOUND");
        assertThat(rpc(
                                gateway.api(),
                                CALLER,
                                "0.3",
                                "tasks/pushNotificationConfig/delete",
                                "{\"id\":\"t\",\"pushNotificationConfigId\":\"mine\"}")
                        .json()
                        .get("result")
                        .isNull())
                .isTrue();
        assertThat(http("GET", path, "").json().findValuesAsText("id")).containsExactly("t");
    }

    private Response http(String method, String path, String body) {
        gateway.system().clock().advanceSeconds(1);
        TestApi.Request request = gateway.api()
                .request(method, path)
                .key(CALLER)
                .domain("registry.test")
                .query("A2A-Version", "1.0");
        return (body.isEmpty() ? request : request.body(body)).send();
    }

    @Test
    void the_same_configuration_of_a_later_message_replaces_the_one_before() {
        Registered first = subscribed();
        rpc(
                "SendMessage",
                message("{\"taskPushNotificationConfig\":" + config("") + "}")
                        .replace("\"messageId\"", "\"taskId\":\"t\",\"messageId\""));
        Registered second = registered();
        assertThat(second.id()).as("the agent replaces its own").isEqualTo(first.id());
        assertThat(notify(first, COMPLETED).status()).isEqualTo(404);
        assertThat(notify(second, COMPLETED).status()).isEqualTo(204);
        ScriptedServer.Request request = received();
        assertThat(request.headers())
                .as("there is no secret to sign with")
                .containsKey("webhook-id")
                .doesNotContainKeys("webhook-signature", "authorization");
    }

    @Test
    void what_is_another_key_s_does_not_exist() {
        subscribed();
        Registered registered = registered();
        String create = "CreateTaskPushNotificationConfig";
        for (String method : List.of(
                create,
                "GetTaskPushNotificationConfig",
                "ListTaskPushNotificationConfigs",
                "DeleteTaskPushNotificationConfig")) {
            Response refused = rpc(
                    gateway.api(),
                    TestSystem.AGENT_KEY,
                    "1.0",
                    method,
                    "{\"taskId\":\"t\",\"id\":\"t\"," + config("").substring(1));
            assertThat(refused.json().at("/error/code").asInt())
                    .as(refused.text())
                    .isEqualTo(-32_001);
        }
        Response all = rpc(
                gateway.api(),
                TestSystem.ADMINISTRATOR_KEY,
                "1.0",
                "ListTaskPushNotificationConfigs",
                "{\"taskId\":\"t\"}");
        assertThat(all.json().at("/result/configs"))
                .as("an administrator has none itself")
                .isEmpty();
        // The agent returns the task to the other key too: each has its own.
        assertThat(send(TestSystem.AGENT_KEY, config("")).json().has("result")).isTrue();
        rpc(
                gateway.api(),
                TestSystem.AGENT_KEY,
                "1.0",
                "DeleteTaskPushNotificationConfig",
                "{\"taskId\":\"t\",\"id\":\"t\"}");
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
    }

    @Test
    void a_key_has_ten_configurations_for_a_task() {
        subscribed();
        for (int i = 2; i <= 10; i++) {
            assertThat(rpc("CreateTaskPushNotificationConfig", numbered(i))
                            .json()
                            .has("result"))
                    .isTrue();
        }
        int calls = agent.connections();
        Response refused = rpc("CreateTaskPushNotificationConfig", numbered(11));
        assertThat(refused.json().at("/error/data/0/reason").asText()).isEqualTo("TOO_MANY_PUSH_CONFIGURATIONS");
        Response sent = rpc(
                "SendMessage",
                message("{\"taskPushNotificationConfig\":" + config(",\"id\":\"c11\"") + "}")
                        .replace("\"messageId\"", "\"taskId\":\"t\",\"messageId\""));
        assertThat(sent.json().at("/error/data/0/reason").asText()).isEqualTo("TOO_MANY_PUSH_CONFIGURATIONS");
        assertThat(agent.connections()).isEqualTo(calls);
        assertThat(rpc("CreateTaskPushNotificationConfig", numbered(5)).json().has("result"))
                .as("one of the same name is replaced")
                .isTrue();
        Response late = send(CALLER, config(",\"id\":\"c12\""));
        assertThat(late.json().has("result")).isTrue();
        assertThat(notify(registered(), WORKING).status())
                .as("the agent answers with a task that has enough")
                .isEqualTo(404);
    }

    private String numbered(int i) {
        return "{\"taskId\":\"t\",\"id\":\"c" + i + "\"," + config("").substring(1);
    }

    @Test
    void an_agent_sends_a_hundred_notifications_then_one_a_second_a_thousand_and_the_end() {
        Registered registered = subscribed();
        count(registered, PushReception.BURST);
        Response refused = notify(registered, WORKING);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        gateway.system().clock().advanceSeconds(1);
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        assertThat(notify(registered, WORKING).status()).isEqualTo(429);
        gateway.system().clock().advance(Duration.ofHours(1));
        count(registered, PushReception.MAX_NOTIFICATIONS - PushReception.BURST - 1);
        assertThat(notify(registered, WORKING).status()).isEqualTo(429);
        for (int i = 0; i < PushReception.MAX_ENDS; i++) {
            assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
        }
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(429);
    }

    private void count(Registered registered, int notifications) {
        PushStore store = new PushStore(gateway.system().database());
        PushStore.Push push =
                store.find("a", registered.path().replaceAll(".*/", "")).orElseThrow();
        for (int i = 0; i < notifications; i++) {
            assertThat(store.count(push, PushReception.MAX_NOTIFICATIONS)).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"agents/a", "providers/" + GatewayHarness.PROVIDER})
    void a_blocked_agent_is_not_heard_and_what_waits_is_not_sent(String blocked) {
        Registered registered = subscribed();
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        gateway.block(blocked);
        Response refused = notify(registered, COMPLETED);
        assertThat(refused.status()).isEqualTo(403);
        assertNothingReceived();
        gateway.unblock(blocked);
        assertNothingReceived();
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
    }

    @Test
    void an_agent_that_drains_still_notifies() {
        Registered registered = subscribed();
        assertThat(new TestAgent(gateway.system(), "a")
                        .drain(gateway.system().api())
                        .status())
                .isEqualTo(200);
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
        received();
    }

    @Test
    void a_revoked_key_receives_nothing() {
        Registered registered = subscribed();
        notify(registered, WORKING);
        new KeyStore(gateway.system().database()).revoke(TestSystem.keyId(CALLER));
        assertNothingReceived();
        assertThat(notify(registered, WORKING).status()).isEqualTo(404);
    }

    @Test
    void a_key_that_no_longer_calls_agents_is_not_notified() {
        Registered registered = subscribed();
        KeyLimits reading = new KeyLimits(Optional.empty(), List.of(), Set.of(KeyAction.READ));
        gateway.system().addKey(CALLER, Role.AGENT, Set.of(), reading);
        assertThat(notify(registered, WORKING).status()).isEqualTo(404);
        gateway.system().addKey(CALLER, Role.AGENT, Set.of());
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(204);
        received();
    }

    @Test
    void the_deployments_key_is_not_notified_once_it_is_switched_off() {
        assertThat(send(TestSystem.ADMINISTRATOR_KEY, config(SECRETS)).json().has("result"))
                .isTrue();
        Registered registered = registered();
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        TestApi api = gateway.system().api();
        TestTokens.configure(api, "acme", "[{'claim':'sub','value':'ada','role':'administrator'}]", TestTokens.EC);
        String ada = TestTokens.token(
                TestTokens.claims("ada", gateway.system().clock().instant()), TestTokens.EC);
        assertThat(api.put("/v1/admin/administrator-key")
                        .header("authorization", "Bearer " + ada)
                        .body("{\"enabled\":false}")
                        .send()
                        .status())
                .isEqualTo(200);
        gateway.system().clock().advanceSeconds(60);
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(404);
    }

    @Test
    void a_receiver_that_fails_gets_a_notification_three_times_under_one_id() {
        Registered registered = subscribed();
        notify(registered, COMPLETED);
        receiver.plays(Script.status(503, "Retry-After: 60"));
        assertThat(gateway.deliver()).isEqualTo(1);
        receiver.plays(Script.status(503, "Retry-After: 86400"));
        assertThat(gateway.deliver()).isEqualTo(1);
        assertThat(gateway.system().sqs().redeliveries())
                .extracting(TestSqs.Redelivery::seconds)
                .containsExactly(60, 90);
        assertThat(gateway.deliver()).as("it is given up").isZero();
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.requests()).hasSize(3);
        assertThat(receiver.requests().stream().map(request -> request.headers().get("webhook-id")))
                .containsOnly(receiver.requests().get(0).headers().get("webhook-id"));
    }

    @ParameterizedTest
    @CsvSource({"302, 204", "400, 204", "401, 204", "410, 404"})
    void a_receiver_that_refuses_gets_it_once_and_ends_the_subscription_by_410(int status, int next) {
        Registered registered = subscribed();
        notify(registered, WORKING);
        receiver.plays(Script.status(status, "Location: http://" + GatewayHarness.HOST + "/"));
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.connections()).isEqualTo(1);
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(next);
    }

    @Test
    void private_addresses_are_not_called() {
        Registered registered = subscribed();
        notify(registered, WORKING);
        assertThat(gateway.deliver(gateway.deployedWorker())).isZero();
        assertThat(receiver.connections()).isZero();
        int calls = agent.connections();
        for (String url : List.of(
                "http://169.254.169.254/latest",
                "https://10.0.0.1/",
                "https://[fe80::1]/",
                "ftp://example.com/",
                "https://user@example.com/",
                "nonsense")) {
            Response refused = send(CALLER, "{\"url\":\"" + url + "\"}");
            assertThat(refused.json().at("/error/code").asInt()).as(url).isEqualTo(-32_602);
        }
        for (String more : List.of(
                ",\"token\":\"a\\r\\nX: y\"",
                ",\"token\":\"\u00e4\"",
                """
                        ,"authentication":{"scheme":"Bea rer","credentials":"x"}\
                        """,
                ",\"authentication\":{\"credentials\":\"x\"}",
                """
                        ,"authentication":{"scheme":"Bearer","credentials":"a\\nb"}\
                        """,
                ",\"authentication\":7",
                ",\"id\":7")) {
            assertThat(send(CALLER, config(more)).json().at("/error/code").asInt())
                    .as(more)
                    .isEqualTo(-32_602);
        }
        assertThat(agent.connections()).isEqualTo(calls);
    }

    @Test
    void an_agent_gets_no_private_address_of_the_gateway_by_a_host_that_the_caller_chose() {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"SendMessage\",\"params\":"
                + message("{\"taskPushNotificationConfig\":" + config("") + "}") + "}";
        Response refused = gateway.api()
                .post("/a2a/agents/a")
                .key(CALLER)
                .domain("10.0.0.1")
                .header("a2a-version", "1.0")
                .body(body)
                .send();
        assertThat(refused.json().at("/error/data/0/reason").asText()).isEqualTo("GATEWAY_NOT_NOTIFIABLE");
        assertThat(agent.requests()).noneMatch(request -> request.line().startsWith("POST "));
    }

    @Test
    void an_agent_whose_card_promises_none_gets_no_configuration() {
        promises = false;
        Response refused = send(CALLER, config(SECRETS));
        assertThat(refused.json().at("/error/code").asInt()).isEqualTo(-32_003);
        for (String method : List.of(
                "CreateTaskPushNotificationConfig",
                "GetTaskPushNotificationConfig",
                "ListTaskPushNotificationConfigs",
                "DeleteTaskPushNotificationConfig")) {
            Response response = rpc(
                    gateway.api(),
                    TestSystem.ADMINISTRATOR_KEY,
                    "1.0",
                    method,
                    "{\"taskId\":\"t\",\"id\":\"t\"," + config("").substring(1));
            assertThat(response.json().at("/error/code").asInt()).as(method).isEqualTo(-32_003);
        }
        assertThat(agent.requests()).allMatch(request -> request.line().startsWith("GET "));
    }

    @Test
    void an_agent_that_refuses_a_configuration_is_shown_and_nothing_is_left() {
        subscribed();
        agent.plays((request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                        + "\",\"error\":{\"code\":-32003,\"message\":\"no\"}}")
                .play(request, out));
        Response refused = rpc(
                "CreateTaskPushNotificationConfig",
                "{\"taskId\":\"t\",\"id\":\"x\"," + config("").substring(1));
        assertThat(refused.json().at("/error/code").asInt()).isEqualTo(-32_003);
        assertThat(notify(registered(), WORKING).status()).isEqualTo(404);
        assertThat(rpc("ListTaskPushNotificationConfigs", "{\"taskId\":\"t\"}")
                        .json()
                        .at("/result/configs"))
                .hasSize(1);
    }

    @Test
    void a_deleted_configuration_receives_nothing_whatever_the_agent_does() {
        Registered registered = subscribed();
        notify(registered, WORKING);
        gateway.block("agents/a");
        Response deleted = rpc("DeleteTaskPushNotificationConfig", "{\"taskId\":\"t\",\"id\":\"t\"}");
        assertThat(deleted.json().has("result")).as(deleted.text()).isTrue();
        gateway.unblock("agents/a");
        assertNothingReceived();
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(404);
    }

    @Test
    void a_queue_that_fails_is_an_error_for_the_agent() {
        Registered registered = subscribed();
        for (int i = 0; i < 3; i++) {
            gateway.system().sqs().failSend(SqsException.builder().build());
        }
        assertThat(notify(registered, COMPLETED).status()).isEqualTo(503);
    }

    @Test
    void a_part_of_the_output_has_no_form_in_version_0_3() {
        rpc(gateway.api(), CALLER, "0.3", "message/send", message("{\"pushNotificationConfig\":" + config("") + "}"));
        String artifact =
                """
                        {"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"1","parts":[]}}}\
                        """;
        assertThat(notify(registered(), artifact).status()).isEqualTo(204);
        assertNothingReceived();
    }

    @Test
    void a_subscription_ends_after_a_month_and_without_a_task_after_a_day() {
        Registered registered = subscribed();
        gateway.system().clock().advance(Duration.ofDays(29));
        assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        gateway.system().clock().advance(Duration.ofDays(2));
        assertThat(notify(registered, WORKING).status()).isEqualTo(404);
        agent.plays((request, out) -> {
            if (request.line().startsWith("GET ")) {
                answer(request, out);
            } else {
                Script.status(500).play(request, out);
            }
        });
        send(CALLER, config(""));
        gateway.system().clock().advance(Duration.ofHours(25));
        assertThat(notify(registered(), WORKING).status()).isEqualTo(404);
    }

    @Test
    void a_notification_that_is_too_large_in_the_caller_s_version_changes_nothing() {
        rpc(gateway.api(), CALLER, "0.3", "message/send", message("{\"pushNotificationConfig\":" + config("") + "}"));
        TableContents before = TableContents.of(gateway.system().tables());
        String parts = String.join(",", Collections.nCopies(18_000, "{\"text\":\"\"}"));
        Response refused = notify(
                registered(),
                "{\"task\":{\"id\":\"t\",\"status\":{\"state\":\"TASK_STATE_WORKING\"},"
                        + "\"artifacts\":[{\"artifactId\":\"1\",\"parts\":[" + parts + "]}]}}");
        assertThat(refused.status()).isEqualTo(413);
        assertThat(TableContents.of(gateway.system().tables())).isEqualTo(before);
    }

    @Test
    void a_later_message_whose_answer_is_lost_leaves_one_configuration() {
        send(CALLER, config(",\"id\":\"c\""));
        Registered first = registered();
        agent.plays((request, out) -> {
            if (request.line().startsWith("GET ")) {
                answer(request, out);
            } else {
                Script.status(500).play(request, out);
            }
        });
        rpc(
                "SendMessage",
                message("{\"taskPushNotificationConfig\":" + config(",\"id\":\"c\"") + "}")
                        .replace("\"messageId\"", "\"taskId\":\"t\",\"messageId\""));
        Registered second = registered();
        assertThat(notify(second, WORKING).status()).isEqualTo(204);
        assertThat(notify(first, WORKING).status()).isEqualTo(404);
        rpc("DeleteTaskPushNotificationConfig", "{\"taskId\":\"t\",\"id\":\"c\"}");
        assertThat(notify(second, WORKING).status()).isEqualTo(404);
    }

    /** The first one is with the agent while the second one is set, so that it becomes the one of the task last. */
    @Test
    void of_one_configuration_that_is_set_twice_at_once_the_last_one_receives_whichever_the_agent_has() {
        subscribed();
        String create = "CreateTaskPushNotificationConfig";
        String params = "{\"taskId\":\"t\",\"id\":\"c\"," + config(SECRETS).substring(1);
        List<Registered> both = new ArrayList<>();
        agent.plays((request, out) -> {
            if (request.body().contains(create)) {
                both.add(registered());
                if (both.size() == 1) {
                    rpc(create, params.replace(TOKEN, "another-token"));
                }
            }
            answer(request, out);
        });
        assertThat(rpc(create, params).json().has("result")).isTrue();
        assertThat(both).hasSize(2).doesNotHaveDuplicates();
        assertThat(rpc("ListTaskPushNotificationConfigs", "{\"taskId\":\"t\"}")
                        .json()
                        .at("/result/configs"))
                .hasSize(2);
        for (Registered registered : both) {
            assertThat(notify(registered, WORKING).status()).isEqualTo(204);
        }
        assertThat(notify(new Registered(both.get(0).path(), both.get(1).secret(), ""), WORKING)
                        .status())
                .as("each address has its own secret")
                .isEqualTo(404);
        assertThat(gateway.deliver()).isZero();
        assertThat(receiver.requests()).hasSize(2).allSatisfy(request -> assertThat(
                        request.headers().get("webhook-signature"))
                .isNotEmpty());
        receiver.requests()
                .forEach(request -> assertThat(request.headers()).containsEntry("x-a2a-notification-token", TOKEN));
        rpc("DeleteTaskPushNotificationConfig", "{\"taskId\":\"t\",\"id\":\"c\"}");
        for (Registered registered : both) {
            assertThat(notify(registered, WORKING).status()).isEqualTo(404);
        }
    }

    @Test
    void configurations_that_ended_leave_their_places_free() {
        subscribed();
        for (int i = 2; i <= 10; i++) {
            rpc("CreateTaskPushNotificationConfig", numbered(i));
        }
        gateway.system().clock().advance(Duration.ofDays(29));
        send(CALLER, config(",\"id\":\"c2\""));
        gateway.system().clock().advance(Duration.ofDays(2));
        assertThat(rpc("CreateTaskPushNotificationConfig", numbered(11)).json().has("result"))
                .as("all but one have expired, and their list has not")
                .isTrue();
    }

    @Test
    void a_caller_of_version_0_3_reads_the_only_configuration_of_a_task_without_its_id() {
        send(CALLER, config(",\"id\":\"c\""));
        String method = "tasks/pushNotificationConfig/get";
        assertThat(rpc(gateway.api(), CALLER, "0.3", method, "{\"id\":\"t\"}")
                        .json()
                        .at("/result/pushNotificationConfig/id")
                        .asText())
                .isEqualTo("c");
        rpc("CreateTaskPushNotificationConfig", numbered(2));
        assertThat(rpc(gateway.api(), CALLER, "0.3", method, "{\"id\":\"t\"}")
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32_001);
    }

    @Test
    void a_stream_with_a_receiver_notifies_as_well() throws IOException {
        agent.plays((request, out) -> {
            if (request.line().startsWith("GET ")) {
                answer(request, out);
                return;
            }
            ObjectNode event = Json.object().put("jsonrpc", "2.0").put("id", AgentScripts.id(request));
            event.set("result", Json.stored(COMPLETED));
            Script.body("data: " + Json.text(event) + "\n\n", "Content-Type: text/event-stream")
                    .play(request, out);
        });
        Response streamed = rpc(
                gateway.streaming(),
                CALLER,
                "1.0",
                "SendStreamingMessage",
                message("{\"taskPushNotificationConfig\":" + config(SECRETS) + "}"));
        assertThat(streamed.status()).isEqualTo(200);
        assertThat(notify(registered(), COMPLETED).status()).isEqualTo(204);
        received();
    }

    @ParameterizedTest
    @CsvSource({"2.0, -32009", "1.0, 0", "'', -32601"})
    void the_version_may_be_in_the_query(String version, int code) {
        agent.plays(AgentScripts.result("{\"tasks\":[],\"nextPageToken\":\"\"}"));
        Response response = gateway.api()
                .post("/a2a/agents/a")
                .key(CALLER)
                .query("A2A-Version", version)
                .body(
                        """
                        {"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}\
                        """)
                .send();
        assertThat(response.json().at("/error/code").asInt())
                .as(response.text())
                .isEqualTo(code);
        Map<String, String> wrong = Map.of("a2a-version", version, "A2A-Versions", version);
        wrong.forEach((name, value) -> assertThat(gateway.api()
                        .post("/a2a/agents/a")
                        .key(CALLER)
                        .query(name, "1.0")
                        .undescribed()
                        .body(
                                """
                                {"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}\
                                """)
                        .send()
                        .status())
                .isEqualTo(400));
    }
}
