package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.InvocationWorkerFunction;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestSqs;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;

/** The tasks that the gateway sees: who waits for a person, and which tasks a stop cancels. */
class OpenTaskTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String CALLER = TestSystem.OTHER_AGENT_KEY;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private ScriptedServer server;

    @BeforeEach
    void open() {
        server = gateway.server();
        gateway.agent("a", server);
    }

    @ParameterizedTest
    @CsvSource({
        "input-required, completed, invoke",
        "auth-required, working, invoke",
        "input-required, failed, invoke",
        "input-required, canceled, invoke",
        "input-required, completed, invoke-async"
    })
    void an_agent_waits_for_a_person_until_its_task_goes_on(String waits, String then, String route) {
        answer(waits, route, GatewayHarness.HELLO);
        assertThat(waiting()).containsExactly("a");
        assertThat(gateway.read("/api/v1/agents/a").path("verdict").isMissingNode())
                .isTrue();
        answer(then, route, "{\"message\":{\"messageId\":\"m\",\"parts\":[{\"text\":\"Yes\"}],\"taskId\":\"t\"}}");
        assertThat(waiting()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "canceled"})
    void a_look_at_the_task_shows_that_it_ended(String state) {
        answer("input-required", "invoke", GatewayHarness.HELLO);
        heartbeat();
        assertThat(waiting()).as("heartbeats leave it").containsExactly("a");
        server.plays(AgentScripts.result("{\"id\":\"t\",\"status\":{\"state\":\"" + state + "\"}}"));
        String method = state.equals("canceled") ? "tasks/cancel" : "tasks/get";
        TestApi.Response answer = gateway.api()
                .post("/a2a/agents/a")
                .key(CALLER)
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{\"id\":\"t\"}}")
                .send();
        assertThat(answer.json().path("result").path("id").asText()).isEqualTo("t");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void one_of_two_tasks_that_goes_on_leaves_the_other_waiting() {
        answer("input-required", "invoke", GatewayHarness.HELLO);
        server.plays(AgentScripts.result("{\"kind\":\"task\",\"id\":\"u\",\"status\":{\"state\":\"input-required\"}}"));
        gateway.invoke("a", GatewayHarness.HELLO);
        answer("completed", "invoke", GatewayHarness.HELLO);
        assertThat(waiting()).containsExactly("a");
        server.plays(AgentScripts.result("{\"kind\":\"task\",\"id\":\"u\",\"status\":{\"state\":\"completed\"}}"));
        gateway.invoke("a", GatewayHarness.HELLO);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void a_stop_counts_running_tasks_and_cancels_them_at_their_agents() {
        ScriptedServer other = gateway.server();
        gateway.agent("b", other);
        answer("working", "invoke", GatewayHarness.HELLO);
        other.plays(AgentScripts.task("working"));
        gateway.invoke("b", GatewayHarness.HELLO);
        server.plays(AgentScripts.result("{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"canceled\"}}"));
        int calls = other.requests().size();
        JsonNode counted = stop("\"agent_id\":\"a\",\"dry_run\":true");
        assertThat(counted.path("running_tasks").intValue()).isEqualTo(1);
        assertThat(stop("\"agent_id\":\"a\",\"reason\":\"why\"")
                        .path("running_tasks")
                        .intValue())
                .isEqualTo(1);
        deliverNew();
        String last = server.requests().get(server.requests().size() - 1).body();
        assertThat(last).contains("\"tasks/cancel\"").contains("\"id\":\"t\"");
        assertThat(other.requests()).hasSize(calls);
        assertThat(stop("\"all\":true,\"dry_run\":true").path("running_tasks").intValue())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32_001, -32_002})
    void a_task_that_its_agent_does_not_know_or_that_ended_is_forgotten(int code) {
        answer("input-required", "invoke", GatewayHarness.HELLO);
        server.plays(AgentScripts.rpcError(code, "no such task"));
        stop("\"agent_id\":\"a\",\"reason\":\"why\"");
        deliverNew();
        assertThat(waiting()).isEmpty();
        assertThat(stop("\"all\":true,\"dry_run\":true").path("running_tasks").intValue())
                .isZero();
    }

    @Test
    void a_task_that_goes_on_unseen_by_the_gateway_waits_no_longer_after_the_next_look() {
        answer("input-required", "invoke", GatewayHarness.HELLO);
        server.plays(AgentScripts.task("input-required"));
        look(1);
        assertThat(waiting()).containsExactly("a");
        server.plays(AgentScripts.result("{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"working\"}}"));
        look(2);
        String last = server.requests().get(server.requests().size() - 1).body();
        assertThat(last).contains("\"tasks/get\"").contains("\"id\":\"t\"");
        assertThat(waiting()).isEmpty();
        int calls = server.requests().size();
        look(3);
        assertThat(server.requests()).hasSize(calls);
        assertThat(gateway.system().sqs().delayed()).hasSize(3);
    }

    @Test
    void a_task_still_waits_after_an_internal_error_of_its_agent() {
        answer("input-required", "invoke", GatewayHarness.HELLO);
        server.plays(AgentScripts.rpcError("not now"));
        look(1);
        assertThat(waiting()).containsExactly("a");
        assertThat(gateway.system().sqs().delayed()).hasSize(2);
    }

    @Test
    void a_wait_is_shown_also_if_the_queue_fails() {
        gateway.system().sqs().failSend(SdkClientException.create("the queue does not answer"));
        answer("input-required", "invoke", GatewayHarness.HELLO);
        assertThat(waiting()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {503, -32_603, -32_601, -32_004})
    void a_cancellation_that_failed_is_repeated(int code) {
        answer("working", "invoke", GatewayHarness.HELLO);
        server.plays(code > 0 ? Script.status(code) : AgentScripts.rpcError(code, "not now"));
        stop("\"agent_id\":\"a\",\"reason\":\"why\"");
        deliverNew();
        assertThat(stop("\"all\":true,\"dry_run\":true").path("running_tasks").intValue())
                .isEqualTo(1);
        server.plays(AgentScripts.result("{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"canceled\"}}"));
        look(1);
        assertThat(stop("\"all\":true,\"dry_run\":true").path("running_tasks").intValue())
                .isZero();
        assertThat(gateway.system().sqs().delayed()).hasSize(1);
    }

    @Test
    void a_look_at_a_running_task_of_an_agent_that_is_no_longer_stopped_does_nothing() {
        answer("working", "invoke", GatewayHarness.HELLO);
        server.plays(Script.status(503));
        stop("\"agent_id\":\"a\",\"reason\":\"why\"");
        deliverNew();
        gateway.system()
                .api()
                .delete("/v1/admin/stop")
                .key(ADMIN)
                .query("agent_id", "a")
                .send();
        int calls = server.requests().size();
        look(1);
        assertThat(server.requests()).hasSize(calls);
    }

    @Test
    void a_dead_agent_that_answers_a_call_is_active_while_gone() {
        TestAgent agent = new TestAgent(gateway.system(), "a");
        answer("working", "invoke", GatewayHarness.HELLO);
        agent.becomeDead();
        gateway.system().clock().advanceSeconds(400);
        server.plays(AgentScripts.result("{\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"canceled\"}}"));
        stop("\"agent_id\":\"a\",\"reason\":\"why\"");
        deliverNew();
        assertThat(agent.events().stream()
                        .filter(event -> event.get("type").textValue().equals("agent.active_while_gone"))
                        .map(event -> event.get("of").textValue() + " "
                                + event.get("state").textValue()))
                .containsExactly("invocations dead");
    }

    /** Delivers the delayed look with this number, counted from 1. */
    private void look(int number) {
        TestSqs.Message message = new TestSqs.Message(
                "", "look" + number, gateway.system().sqs().delayed().get(number - 1), "receipt");
        assertThat(gateway.workerThrough(gateway.system().dynamoDb())
                        .handleRequest(GatewayHarness.event(List.of(message)), null)
                        .getBatchItemFailures())
                .isEmpty();
    }

    private void answer(String state, String route, String body) {
        server.plays(AgentScripts.task(state));
        gateway.api().post("/v1/agents/a/" + route).key(CALLER).body(body).send();
        if (route.equals("invoke-async")) {
            gateway.deliver();
        }
    }

    private void heartbeat() {
        TestApi.Response sent = gateway.system()
                .api()
                .post("/api/v1/agents/a/heartbeat")
                .key(TestSystem.AGENT_KEY)
                .body("{\"status\":\"active\",\"client_timestamp\":\""
                        + gateway.system().clock().instant() + "\"}")
                .send();
        assertThat(sent.status()).isEqualTo(200);
    }

    private JsonNode stop(String body) {
        TestApi.Response answer = gateway.system()
                .api()
                .post("/v1/admin/stop")
                .key(ADMIN)
                .body("{" + body + "}")
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    private List<String> waiting() {
        return gateway.system()
                .api()
                .get("/api/v1/agents")
                .query("waiting", "true")
                .key(ADMIN)
                .send()
                .json()
                .path("agents")
                .findValuesAsText("agent_id");
    }

    /** Delivers each message of the queue once, until no message follows. */
    private void deliverNew() {
        InvocationWorkerFunction worker = gateway.workerThrough(gateway.system().dynamoDb());
        for (int next = 0; next < gateway.system().sqs().messages().size(); next++) {
            List<TestSqs.Message> one =
                    List.of(gateway.system().sqs().messages().get(next));
            assertThat(worker.handleRequest(GatewayHarness.event(one), null).getBatchItemFailures())
                    .isEmpty();
        }
    }
}
