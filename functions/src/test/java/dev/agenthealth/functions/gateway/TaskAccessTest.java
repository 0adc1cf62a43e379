package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks of agents belong to the keys to which the gateway returned them. */
class TaskAccessTest {

    private static final String CALLER = TestSystem.OTHER_AGENT_KEY;
    private static final String OTHER_CALLER = TestSystem.COORDINATOR_KEY;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private ScriptedServer server;

    @BeforeEach
    void open() {
        server = gateway.server().plays(AgentScripts.task("working"));
        gateway.agent("a", server);
        gateway.agent("b", server);
    }

    @Test
    void a_task_of_another_key_is_not_found_and_the_agent_is_not_asked() {
        assertThat(send(CALLER, "").path("result").path("task").path("id").asText())
                .isEqualTo("t");
        assertThat(isFound(CALLER)).isTrue();
        assertThat(isFound(TestSystem.ADMINISTRATOR_KEY)).isTrue();
        int calls = server.connections();
        assertThat(isFound(OTHER_CALLER)).isFalse();
        assertThat(isFound(TestSystem.AGENT_KEY))
                .as("the owner asks the agent itself")
                .isFalse();
        assertThat(isFound("b", CALLER)).as("of another agent").isFalse();
        assertThat(server.connections()).isEqualTo(calls);
        send(OTHER_CALLER, "");
        assertThat(isFound(OTHER_CALLER)).as("the agent returned it to both").isTrue();
        assertThat(isFound(CALLER)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {",\"taskId\":\"t\"", ",\"referenceTaskIds\":[\"own\",\"t\"]"})
    void a_message_about_a_task_of_another_key_is_refused_on_every_route(String about) {
        server.plays(AgentScripts.result(
                """
                {"kind":"task","id":"own","status":{"state":"working"}}\
                """));
        send(OTHER_CALLER, "");
        server.plays(AgentScripts.task("working"));
        send(CALLER, "");
        int calls = server.connections();
        assertThat(send(OTHER_CALLER, about).path("error").path("code").asInt()).isEqualTo(-32_001);
        String body = "{\"message\":{\"messageId\":\"m\",\"parts\":[{\"text\":\"Go on\"}]" + about + "}}";
        for (String route : new String[] {"invoke", "invoke-async"}) {
            Response refused = gateway.api()
                    .post("/v1/agents/a/" + route)
                    .key(OTHER_CALLER)
                    .body(body)
                    .send();
            assertThat(refused.status()).as(refused.text()).isEqualTo(404);
            assertThat(refused.json().path("error").asText()).isEqualTo("task_not_found");
        }
        assertThat(gateway.deliver()).isZero();
        assertThat(server.connections()).isEqualTo(calls);
        assertThat(send(CALLER, ",\"taskId\":\"t\"")
                        .path("result")
                        .path("task")
                        .path("id")
                        .asText())
                .isEqualTo("t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"invoke", "invoke-async"})
    void a_task_that_an_invocation_returned_belongs_to_its_key(String route) {
        gateway.api()
                .post("/v1/agents/a/" + route)
                .key(CALLER)
                .body(GatewayHarness.HELLO)
                .send();
        gateway.deliver();
        assertThat(isFound(CALLER)).isTrue();
        assertThat(isFound(OTHER_CALLER)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"failed\"}}",
                "{\"kind\":\"message\",\"taskId\":\"t\",\"role\":\"agent\",\"messageId\":\"m\",\"parts\":[]}"
            })
    void a_task_that_failed_and_the_task_of_a_message_belong_to_the_key(String result) {
        server.plays(AgentScripts.result(result));
        send(CALLER, "");
        server.plays(AgentScripts.task("failed"));
        assertThat(isFound(CALLER)).isTrue();
        assertThat(isFound(OTHER_CALLER)).isFalse();
    }

    @Test
    void a_task_is_found_for_30_days_after_the_agent_last_returned_it() {
        send(CALLER, "");
        gateway.system().clock().advance(TaskAccessStore.RETENTION.minusSeconds(1));
        assertThat(isFound(CALLER)).isTrue();
        send(CALLER, ",\"taskId\":\"t\"");
        gateway.system().clock().advance(TaskAccessStore.RETENTION.minusSeconds(1));
        assertThat(isFound(CALLER)).isTrue();
        gateway.system().clock().advanceSeconds(2);
        assertThat(isFound(CALLER)).isFalse();
    }

    private JsonNode send(String key, String about) {
        return post(
                "a",
                key,
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"Hello\"}]"
                        + about + "}}}");
    }

    private boolean isFound(String key) {
        return isFound("a", key);
    }

    private boolean isFound(String agentId, String key) {
        JsonNode json = post(
                agentId,
                key,
                """
                        {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}\
                        """);
        if (json.has("result")) {
            assertThat(json.path("result").path("id").asText()).isEqualTo("t");
            return true;
        }
        assertThat(json.path("error").path("code").asInt()).as(json.toString()).isEqualTo(-32_001);
        assertThat(json.path("error").path("data").get(0).path("reason").asText())
                .isEqualTo("TASK_NOT_FOUND");
        return false;
    }

    private JsonNode post(String agentId, String key, String body) {
        Response response = gateway.api()
                .post("/a2a/agents/" + agentId)
                .key(key)
                .header("a2a-version", "1.0")
                .body(body)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return Json.stored(response.text());
    }
}
