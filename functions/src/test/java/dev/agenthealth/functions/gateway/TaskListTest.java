package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of the tasks of an agent that belong to the caller. */
class TaskListTest {

    private static final String CALLER = TestSystem.OTHER_AGENT_KEY;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private ScriptedServer server;

    /** All tasks of the agent. */
    private final List<ObjectNode> tasks = new ArrayList<>();

    @BeforeEach
    void open() {
        server = gateway.server();
        gateway.agent("a", GatewayHarness.endpoint(server), ",\"a2a_version\":\"1.0\"");
        for (int i = 0; i < 7; i++) {
            ObjectNode task = Json.object().put("id", "t" + i).put("contextId", "c" + i % 2);
            task.putObject("status")
                    .put("state", "TASK_STATE_WORKING")
                    // Not in their order.
                    .put("timestamp", "2026-02-08T10:00:0" + (i * 3 % 7) + (i == 3 ? ".000Z" : ".500Z"));
            tasks.add(task);
        }
    }

    /** The caller owns those tasks. */
    private void own(String key, int... numbers) {
        for (int number : numbers) {
            server.plays(AgentScripts.result(Json.text(Json.object().set("task", tasks.get(number)))));
            gateway.api()
                    .post("/a2a/agents/a")
                    .key(key)
                    .header("a2a-version", "1.0")
                    .body(
                            """
                                    {"jsonrpc":"2.0","id":7,"method":"SendMessage",\
                                    "params":{"message":{"messageId":"m","role":"ROLE_USER",\
                                    "parts":[{"text":"Hello"}]}}}\
                                    """)
                    .send();
            gateway.system().clock().advanceSeconds(1);
        }
        server.plays(this::page);
    }

    /** Two tasks to a page, whatever is asked for. */
    private void page(ScriptedServer.Request request, OutputStream out) throws IOException {
        JsonNode params = Json.stored(request.body()).path("params");
        int first = params.path("pageToken").asInt(0);
        ObjectNode result = Json.object();
        ArrayNode page = result.putArray("tasks");
        tasks.stream().skip(first).limit(2).forEach(page::add);
        result.put("nextPageToken", first + 2 < tasks.size() ? String.valueOf(first + 2) : "");
        AgentScripts.result(Json.text(result)).play(request, out);
    }

    private Response list(String key, String version, String params) {
        gateway.system().clock().advanceSeconds(1);
        String method = version.equals("1.0") ? "ListTasks" : "tasks/list";
        return gateway.api()
                .post("/a2a/agents/a")
                .key(key)
                .header("a2a-version", version)
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}")
                .send();
    }

    private static List<String> ids(JsonNode result) {
        return result.path("tasks").findValuesAsText("id");
    }

    @Test
    void a_caller_sees_its_own_tasks_the_last_changed_first() {
        own(CALLER, 0, 3, 4, 6);
        own(TestSystem.AGENT_KEY, 1, 2);
        JsonNode result = list(CALLER, "1.0", "{}").json().path("result");
        assertThat(ids(result)).as("3, 2, 5 and 4 seconds past").containsExactly("t4", "t6", "t3", "t0");
        assertThat(result.path("totalSize").asInt()).isEqualTo(4);
        assertThat(result.path("pageSize").asInt()).isEqualTo(4);
        assertThat(result.path("nextPageToken").asText("none")).isEmpty();
        assertThat(ids(list(TestSystem.ADMINISTRATOR_KEY, "1.0", "{}").json().path("result")))
                .hasSize(7);
        JsonNode older = list(TestSystem.AGENT_KEY, "0.3", "{}").json().path("result");
        assertThat(older.path("tasks")).hasSize(2);
        assertThat(older.at("/tasks/0/kind").asText()).isEqualTo("task");
        assertThat(older.at("/tasks/0/status/state").asText()).isEqualTo("working");
        assertThat(ids(list(TestSystem.COORDINATOR_KEY, "1.0", "{}").json().path("result")))
                .isEmpty();
    }

    @Test
    void pages_follow_each_other_and_a_token_is_for_its_list_and_key() {
        own(CALLER, 0, 1, 2, 3, 4);
        List<String> all = ids(list(CALLER, "1.0", "{}").json().path("result"));
        List<String> found = new ArrayList<>();
        String token = "";
        int pages = 0;
        do {
            JsonNode result = list(CALLER, "1.0", "{\"pageSize\":2,\"pageToken\":\"" + token + "\"}")
                    .json()
                    .path("result");
            found.addAll(ids(result));
            assertThat(result.path("totalSize").asInt()).isEqualTo(5);
            token = result.path("nextPageToken").asText();
            pages++;
        } while (!token.isEmpty());
        assertThat(found).isEqualTo(all);
        assertThat(pages).isEqualTo(3);
        String first = list(CALLER, "1.0", "{\"pageSize\":2}")
                .json()
                .at("/result/nextPageToken")
                .asText();
        for (Response refused : List.of(
                list(CALLER, "1.0", "{\"pageToken\":\"" + first + "\",\"contextId\":\"c1\"}"),
                list(TestSystem.AGENT_KEY, "1.0", "{\"pageToken\":\"" + first + "\"}"),
                list(CALLER, "1.0", "{\"pageToken\":\"2\"}"))) {
            assertThat(refused.json().at("/error/code").asInt())
                    .as(refused.text())
                    .isEqualTo(-32_602);
        }
    }

    @Test
    void filters_are_the_agent_s_in_its_version() {
        own(CALLER, 0);
        list(
                CALLER,
                "1.0",
                """
                        {"contextId":"c0","status":"input-required","statusTimestampAfter":"2026-02-08T10:00:00Z",\
                        "historyLength":3,"includeArtifacts":true}\
                        """);
        List<ScriptedServer.Request> sent = server.requests();
        assertThat(Json.stored(sent.get(sent.size() - 4).body()).path("params"))
                .isEqualTo(
                        Json.stored(
                                """
                                        {"pageSize":50,"includeArtifacts":true,"contextId":"c0",\
                                        "status":"TASK_STATE_INPUT_REQUIRED",\
                                        "statusTimestampAfter":"2026-02-08T10:00:00Z","historyLength":3}\
                                        """));
    }

    @Test
    void an_agent_with_more_tasks_than_are_read_needs_a_filter() {
        server.plays(AgentScripts.result("{\"tasks\":[],\"nextPageToken\":\"more\"}"));
        Response refused = list(CALLER, "1.0", "{}");
        assertThat(refused.json().at("/error/data/0/reason").asText()).isEqualTo("TOO_MANY_TASKS");
        assertThat(server.connections()).isEqualTo(20);
    }

    @ParameterizedTest
    @CsvSource({"-32601, -32004", "-32004, -32004", "-32603, -32603"})
    void an_agent_that_does_not_list_tasks_has_no_list(int code, int answered) {
        server.plays((request, out) -> Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + AgentScripts.id(request)
                        + "\",\"error\":{\"code\":" + code + ",\"message\":\"no\"}}")
                .play(request, out));
        assertThat(list(CALLER, "1.0", "{}").json().at("/error/code").asInt()).isEqualTo(answered);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"pageSize\":0}; pageSize",
                "{\"pageSize\":101}; pageSize",
                "{\"pageSize\":\"x\"}; pageSize",
                "{\"status\":\"busy\"}; status",
                "{\"status\":7}; status",
                "{\"contextId\":7}; contextId",
                "{\"historyLength\":-1}; historyLength",
                "{\"includeArtifacts\":\"yes\"}; includeArtifacts",
                "{\"statusTimestampAfter\":\"yesterday\"}; statusTimestampAfter"
            })
    void a_wrong_parameter_is_named_and_the_agent_is_not_asked(String params, String field) {
        Response refused = list(CALLER, "1.0", params);
        assertThat(refused.json().at("/error/code").asInt()).as(refused.text()).isEqualTo(-32_602);
        assertThat(refused.json().at("/error/data/0/metadata/fields").asText()).startsWith(field);
        assertThat(server.connections()).isZero();
    }

    @Test
    void what_is_no_list_never_fails() {
        for (String result : List.of("{}", "{\"tasks\":7}", "{\"tasks\":[7,null,{}],\"nextPageToken\":null}")) {
            server.plays(AgentScripts.result(result));
            assertThat(list(CALLER, "1.0", "{}").json().at("/result/totalSize").asInt(-1))
                    .isZero();
        }
    }
}
