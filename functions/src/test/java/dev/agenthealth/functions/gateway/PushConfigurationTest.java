package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers set, read, replace and delete configurations of notifications. */
class PushConfigurationTest extends PushNotificationsCase {

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
}
