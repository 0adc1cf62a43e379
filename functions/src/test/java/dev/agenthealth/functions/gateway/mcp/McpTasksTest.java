package dev.agenthealth.functions.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of agents become tasks of MCP, which only their caller reads and cancels. */
class McpTasksTest {

    private static final String KEY = TestSystem.OTHER_AGENT_KEY;
    private static final String CALL =
            """
            {"name":"invoke_agent","arguments":{"agent_id":"a","message":"Hello"%s}%s}\
            """;
    private static final String MESSAGE =
            """
            "result":{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"Done."}]}\
            """;
    private static final String TASK =
            """
            "result":{"kind":"task","id":"t","contextId":"c","status":{"state":"%s"}}\
            """;

    private final McpHarness mcp = new McpHarness();
    private final ScriptedServer server = ScriptedServer.http();

    @BeforeEach
    void register() {
        TestAgent agent = new TestAgent(mcp.system(), "a");
        assertThat(agent.register(",\"endpoint\":\"http://agent.test:" + server.port() + "/\"")
                        .status())
                .isEqualTo(201);
    }

    @AfterEach
    void close() {
        server.close();
        mcp.close();
    }

    private void agentAnswers(String member) {
        server.plays((request, out) -> {
            String id = Json.stored(request.body()).path("id").asText();
            ScriptedServer.Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\"," + member + "}")
                    .play(request, out);
        });
    }

    private JsonNode older(String method, String params) {
        mcp.system().clock().advanceSeconds(1);
        Response response = mcp.older(KEY, method, params);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("result");
    }

    private JsonNode newer(String method, String params) {
        mcp.system().clock().advanceSeconds(1);
        Response response = mcp.withTasks(KEY, method, params);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("result");
    }

    private static String id(String taskId) {
        return "{\"taskId\":\"" + taskId + "\"}";
    }

    /** Begins a task with 2025-11-25; returns its id. */
    private String begun() {
        JsonNode task = older("tools/call", CALL.formatted("", ",\"task\":{\"ttl\":60000}"))
                .path("task");
        assertThat(task.path("status").asText()).as(task.toString()).isEqualTo("working");
        return task.path("taskId").asText();
    }

    private String status(String taskId) {
        return older("tasks/get", id(taskId)).path("status").asText();
    }

    private int error(Response response) {
        return response.json().at("/error/code").asInt();
    }

    @Test
    void a_client_of_2025_asks_for_a_task_and_for_its_result() {
        agentAnswers(MESSAGE);
        String taskId = begun();
        JsonNode working = older("tasks/get", id(taskId));
        assertThat(working.fieldNames())
                .toIterable()
                .containsExactly("taskId", "status", "createdAt", "lastUpdatedAt", "ttl", "pollInterval");
        assertThat(working.path("ttl").asLong()).isEqualTo(Duration.ofDays(1).toMillis());
        assertThat(server.requests()).as("the call has not begun").isEmpty();
        mcp.deliver();
        assertThat(status(taskId)).isEqualTo("completed");
        JsonNode result = older("tasks/result", id(taskId));
        assertThat(result.path("isError").asBoolean(true)).isFalse();
        assertThat(result.at("/structuredContent/receipt_id").asText()).isEqualTo(taskId);
        assertThat(result.at("/structuredContent/output/parts/0/text").asText()).isEqualTo("Done.");
        assertThat(result.path("_meta")
                        .path("io.modelcontextprotocol/related-task")
                        .path("taskId")
                        .asText())
                .isEqualTo(taskId);
        assertThat(Json.stored(server.requests().get(0).body())
                        .at("/params/configuration/blocking")
                        .asBoolean(true))
                .as("the agent may answer at the beginning of its task")
                .isFalse();
    }

    @Test
    void a_client_of_2026_gets_a_task_and_its_result_with_its_state() {
        agentAnswers(MESSAGE);
        JsonNode begun = newer("tools/call", CALL.formatted("", ""));
        assertThat(begun.path("resultType").asText()).isEqualTo("task");
        assertThat(begun.path("ttlMs").asLong()).isPositive();
        assertThat(begun.path("pollIntervalMs").asInt()).isPositive();
        String taskId = begun.path("taskId").asText();
        JsonNode working = newer("tasks/get", id(taskId));
        assertThat(working.path("status").asText()).isEqualTo("working");
        assertThat(working.path("resultType").asText()).isEqualTo("complete");
        assertThat(working.has("result")).isFalse();
        mcp.deliver();
        JsonNode completed = newer("tasks/get", id(taskId));
        assertThat(completed.path("status").asText()).isEqualTo("completed");
        assertThat(completed.at("/result/resultType").asText()).isEqualTo("complete");
        assertThat(completed.at("/result/structuredContent/output/parts/0/text").asText())
                .isEqualTo("Done.");
        assertThat(newer("tasks/update", "{\"taskId\":\"" + taskId + "\",\"inputResponses\":{}}")
                        .path("resultType")
                        .asText())
                .isEqualTo("complete");
    }

    @Test
    void a_short_call_of_2026_waits_and_a_long_one_needs_the_extension() {
        agentAnswers(MESSAGE);
        JsonNode waited = newer("tools/call", CALL.formatted(",\"timeout_ms\":25000", ""));
        assertThat(waited.path("resultType").asText()).isEqualTo("complete");
        assertThat(waited.at("/structuredContent/status").asText()).isEqualTo("succeeded");
        assertThat(newer("tools/call", CALL.formatted(",\"timeout_ms\":25001", ""))
                        .path("resultType")
                        .asText())
                .isEqualTo("task");
        Response refused = mcp.modern(KEY, "tools/call", CALL.formatted(",\"timeout_ms\":25001", ""));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(error(refused)).isEqualTo(-32_021);
        assertThat(refused.json()
                        .at("/error/data/requiredCapabilities/extensions")
                        .has(McpTasks.EXTENSION))
                .isTrue();
        for (String method : List.of("tasks/get", "tasks/cancel", "tasks/update")) {
            assertThat(error(mcp.modern(KEY, method, id("rcpt_1")))).as(method).isEqualTo(-32_021);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "completed, completed, completed",
        "failed, failed, completed",
        "rejected, failed, completed",
        "canceled, cancelled, cancelled"
    })
    void a_task_of_the_agent_is_followed_to_its_end(String end, String older, String newer) {
        agentAnswers(TASK.formatted("submitted"));
        String taskId = begun();
        mcp.deliver();
        agentAnswers(TASK.formatted("working"));
        assertThat(status(taskId)).isEqualTo("working");
        agentAnswers(TASK.formatted(end));
        assertThat(status(taskId)).isEqualTo(older);
        int asked = server.requests().size();
        JsonNode ended = newer("tasks/get", id(taskId));
        assertThat(ended.path("status").asText()).isEqualTo(newer);
        assertThat(ended.path("result").isMissingNode()).isEqualTo(newer.equals("cancelled"));
        assertThat(older("tasks/result", id(taskId)).path("isError").asBoolean())
                .isEqualTo(!end.equals("completed"));
        assertThat(server.requests()).as("the end is stored").hasSize(asked);
        if (end.equals("completed")) {
            assertThat(ended.at("/result/structuredContent/output/status/state").asText())
                    .isEqualTo("completed");
        }
    }

    @Test
    void a_task_that_needs_a_person_ends_with_the_agent_s_question() {
        agentAnswers(TASK.formatted("working"));
        String taskId = begun();
        mcp.deliver();
        agentAnswers(TASK.formatted("input-required"));
        assertThat(status(taskId)).isEqualTo("completed");
        agentAnswers(TASK.formatted("working"));
        assertThat(status(taskId)).as("an ended task does not begin again").isEqualTo("completed");
    }

    @Test
    void an_agent_that_does_not_answer_about_its_task_ends_nothing() {
        agentAnswers(TASK.formatted("working"));
        String taskId = begun();
        mcp.deliver();
        server.plays(ScriptedServer.Script.status(500));
        JsonNode working = older("tasks/get", id(taskId));
        assertThat(working.path("status").asText()).isEqualTo("working");
        assertThat(working.path("statusMessage").asText()).isNotEmpty();
        agentAnswers("\"error\":{\"code\":-32001,\"message\":\"unknown\"}");
        assertThat(status(taskId)).as("the agent forgot the task").isEqualTo("failed");
    }

    @Test
    void a_failed_call_is_a_result_that_says_so() {
        agentAnswers("\"error\":{\"code\":-32603,\"message\":\"no\"}");
        String taskId = begun();
        mcp.deliver();
        assertThat(status(taskId)).isEqualTo("failed");
        JsonNode result = older("tasks/result", id(taskId));
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(result.at("/content/0/text").asText()).startsWith("agent_rpc_error: ");
        JsonNode newer = newer("tasks/get", id(taskId));
        assertThat(newer.path("status").asText()).isEqualTo("completed");
        assertThat(newer.at("/result/isError").asBoolean()).isTrue();
    }

    @Test
    void a_task_that_waits_is_cancelled_and_the_agent_is_not_called() {
        agentAnswers(MESSAGE);
        String taskId = begun();
        assertThat(older("tasks/cancel", id(taskId)).path("status").asText()).isEqualTo("cancelled");
        mcp.deliver();
        assertThat(server.requests()).isEmpty();
        assertThat(status(taskId)).isEqualTo("cancelled");
        assertThat(older("tasks/result", id(taskId)).at("/content/0/text").asText())
                .startsWith("invocation_cancelled: ");
        assertThat(error(mcp.older(KEY, "tasks/cancel", id(taskId)))).isEqualTo(-32_602);
        assertThat(newer("tasks/cancel", id(taskId)).path("resultType").asText())
                .as("a repeated request is acknowledged")
                .isEqualTo("complete");
        assertThat(mcp.api()
                        .get("/v1/receipts/" + taskId)
                        .key(KEY)
                        .send()
                        .json()
                        .path("error")
                        .asText())
                .isEqualTo("invocation_cancelled");
    }

    @Test
    void the_agent_decides_whether_its_own_task_is_cancelled() {
        agentAnswers(TASK.formatted("working"));
        String taskId = begun();
        mcp.deliver();
        agentAnswers("\"error\":{\"code\":-32002,\"message\":\"no\"}");
        assertThat(error(mcp.older(KEY, "tasks/cancel", id(taskId)))).isEqualTo(-32_603);
        newer("tasks/cancel", id(taskId));
        assertThat(Json.stored(server.requests().get(1).body()).path("method").asText())
                .isEqualTo("tasks/cancel");
        agentAnswers(TASK.formatted("canceled"));
        assertThat(older("tasks/cancel", id(taskId)).path("status").asText()).isEqualTo("cancelled");
        agentAnswers(TASK.formatted("completed"));
        assertThat(status(taskId)).isEqualTo("cancelled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks/get", "tasks/result", "tasks/cancel"})
    void no_other_key_reads_or_cancels_a_task(String method) {
        agentAnswers(MESSAGE);
        String taskId = begun();
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            Response other = mcp.older(key, method, id(taskId));
            Response unknown = mcp.older(key, method, id("rcpt_unknown"));
            assertThat(error(other)).isEqualTo(-32_602);
            assertThat(other.text()).isEqualTo(unknown.text());
        }
        assertThat(status(taskId)).isEqualTo("working");
        String waited = older("tools/call", CALL.formatted("", ""))
                .at("/structuredContent/receipt_id")
                .asText();
        assertThat(error(mcp.older(KEY, method, id(waited))))
                .as("a call that its caller waited for is no task")
                .isEqualTo(-32_602);
        assertThat(error(mcp.older(KEY, method, id("/../")))).isEqualTo(-32_602);
    }

    @Test
    void a_request_for_a_result_waits_for_a_short_time() {
        agentAnswers(MESSAGE);
        String taskId = begun();
        var before = mcp.system().clock().instant();
        assertThat(error(mcp.older(KEY, "tasks/result", id(taskId)))).isEqualTo(-32_603);
        assertThat(Duration.between(before, mcp.system().clock().instant())).isGreaterThanOrEqualTo(McpTasks.MAX_WAIT);
    }

    @Test
    void a_repeated_call_is_the_same_task() {
        agentAnswers(MESSAGE);
        String call = CALL.formatted(",\"idempotency_key\":\"k\"", ",\"task\":{}");
        String taskId = older("tools/call", call).at("/task/taskId").asText();
        mcp.deliver();
        assertThat(older("tools/call", call).at("/task/taskId").asText()).isEqualTo(taskId);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void only_calls_of_agents_become_tasks_and_only_with_2025_11_25() {
        agentAnswers(MESSAGE);
        assertThat(error(mcp.older(KEY, "tools/call", "{\"name\":\"find_agents\",\"task\":{}}")))
                .isEqualTo(-32_601);
        assertThat(error(mcp.older(KEY, "tools/call", CALL.formatted("", ",\"task\":1"))))
                .isEqualTo(-32_602);
        assertThat(error(mcp.older(KEY, "tools/call", CALL.formatted(",\"unknown\":1", ",\"task\":{}"))))
                .isEqualTo(-32_602);
        JsonNode ignored = mcp.api()
                .post("/mcp")
                .key(KEY)
                .header("mcp-protocol-version", "2025-06-18")
                .body(McpHarness.message("tools/call", Json.stored(CALL.formatted("", ",\"task\":{}"))))
                .send()
                .json();
        assertThat(ignored.at("/result/structuredContent/status").asText()).isEqualTo("succeeded");
        assertThat(error(mcp.older(KEY, "tasks/list", "{}"))).isEqualTo(-32_601);
    }

    @Test
    void each_version_is_told_of_tasks_in_its_own_way() {
        String params =
                "{\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}";
        JsonNode latest = older("initialize", params.formatted("2025-11-25")).path("capabilities");
        assertThat(latest.at("/tasks/requests/tools/call").isObject()).isTrue();
        assertThat(latest.at("/tasks/cancel").isObject()).isTrue();
        assertThat(latest.path("tasks").has("list")).isFalse();
        assertThat(older("initialize", params.formatted("2025-06-18"))
                        .path("capabilities")
                        .has("tasks"))
                .isFalse();
        for (JsonNode tool : older("tools/list", "{}").path("tools")) {
            boolean calls = tool.path("name").asText().equals("invoke_agent");
            assertThat(tool.at("/execution/taskSupport").asText()).isEqualTo(calls ? "optional" : "");
        }
        assertThat(newer("tools/list", "{}").toString()).doesNotContain("taskSupport");
        assertThat(newer("server/discover", "{}").at("/capabilities/extensions").has(McpTasks.EXTENSION))
                .isTrue();
    }
}
