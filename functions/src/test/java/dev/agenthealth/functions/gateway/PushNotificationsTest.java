package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestSqs;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The gateway receives the notifications of agents, and sends them to the callers that want them. */
class PushNotificationsTest extends PushNotificationsCase {

    private static final String SECRETS_OLDER = SECRETS.replace("\"scheme\":\"Bearer\"", "\"schemes\":[\"Bearer\"]");

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
