package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that report repeated calls in their heartbeats: what reads show, and what the sweep publishes and does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoopSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @ParameterizedTest
    @CsvSource({"9, ok, []", "10, degraded, [\"looping\"]", "29, degraded, [\"looping\"]", "30, down, [\"looping\"]"})
    void the_verdict_follows_the_last_heartbeat(int repeats, String verdict, String reasons) {
        TestAgent agent = agent("");
        beat(agent, repeats, "search");
        JsonNode row = list("role_id=worker").path("agents").path(0);
        assertThat(row.path("verdict").textValue()).isEqualTo(verdict);
        assertThat(row.path("reasons").toString()).isEqualTo(reasons);
        boolean looping = repeats > 9;
        assertThat(row.path("looping").booleanValue()).isEqualTo(looping);
        assertThat(row.path("looping_since").isNull()).isEqualTo(!looping);
        assertThat(row.path("looping_repeats").intValue()).isEqualTo(looping ? repeats : 0);
        assertThat(row.path("looping_tool").isNull()).isEqualTo(!looping);
        assertThat(pool().path("looping").intValue()).isEqualTo(looping ? 1 : 0);
        assertThat(row.path("activity").path("repeats").intValue()).isEqualTo(repeats);
        assertThat(row.path("activity").path("tool").textValue()).isEqualTo("search");
        assertThat(list("looping=true").path("agents")).hasSize(looping ? 1 : 0);
        assertThat(list("looping=false").path("agents")).hasSize(looping ? 0 : 1);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(list("looping=true").path("agents")).isEmpty();
    }

    @Test
    void a_loop_is_published_once_for_each_level_and_its_end_once() {
        TestAgent agent = agent("");
        for (int repeats = 1; repeats < 50; repeats += 7) {
            harness.passTime(30);
            beat(agent, repeats, "search");
            harness.sweep();
        }
        assertThat(loops(agent)).containsExactly("warning search 15", "error search 36");
        harness.passTime(30);
        beat(agent, 0, "other");
        harness.sweep();
        harness.sweep();
        assertThat(loops(agent)).containsExactly("warning search 15", "error search 36", "over search 36");
        agent.assertHistoryIsWhole("a loop and its end");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(sentence(agent)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "30, b, 12, c, warning c 12",
        "30, b, 12, b, warning b 12",
        "12, b, 11, b, warning b 11",
        "10, b, 12, c, warning c 12"
    })
    void another_loop_ends_the_published_loop(int first, String tool, int repeats, String other, String begun) {
        TestAgent agent = agent("");
        beat(agent, first, tool);
        harness.sweep();
        harness.passTime(30);
        beat(agent, repeats, other);
        harness.sweep();
        harness.sweep();
        harness.sweep();
        assertThat(loops(agent))
                .containsExactly(
                        (first < 30 ? "warning " : "error ") + tool + " " + first, "over " + tool + " " + first, begun);
        agent.assertHistoryIsWhole("two loops");
    }

    @Test
    void a_loop_of_several_tools_is_published_once() {
        TestAgent agent = agent("");
        for (int i = 0; i < 5; i++) {
            agent.sendHeartbeat(
                    "active",
                    ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":" + (40 + 30 * i) + ",\"repeats\":"
                            + (12 + i) + ",\"tool\":\"" + (i % 2 == 0 ? "search" : "fetch") + "\"}");
            harness.sweep();
            harness.passTime(30);
        }
        assertThat(loops(agent)).containsExactly("warning search 12");
    }

    @Test
    void the_sentence_names_the_tool_and_the_numbers() {
        TestAgent agent = agent("");
        beat(agent, 12, "search");
        assertThat(sentence(agent))
                .isEqualTo("The same calls were repeated 12 times since "
                        + Timestamps.text(harness.now().minusSeconds(40))
                        + ", the last of them of the tool 'search'; the agent declares 10.");
    }

    private String sentence(TestAgent agent) {
        return get("/api/v1/agents/" + agent.id() + "/health")
                .path("reasons")
                .path(0)
                .asText();
    }

    @Test
    void nothing_is_judged_without_a_declaration() {
        TestAgent agent = harness.agent("undeclared");
        beat(agent, 1_000_000, "search");
        harness.sweep();
        assertThat(loops(agent)).isEmpty();
    }

    @Test
    void the_loop_of_an_agent_that_dies_is_over() {
        TestAgent agent = agent("");
        beat(agent, 10, "search");
        harness.sweep();
        harness.passTime(360);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        harness.sweep();
        assertThat(loops(agent)).containsExactly("warning search 10", "over search 10");
    }

    @Test
    void a_looping_agent_that_declares_it_is_asked_to_restart_once_and_loses_its_leases() {
        TestAgent agent = agent(",\"restart_when_looping\":true,\"release_leases_when_looping\":true");
        TestAgent other = harness.agent("other");
        acquire(agent, 201);
        acquire(other, 409);
        beat(agent, 10, "search");
        harness.sweep();
        assertThat(beat(agent, 11, "search").json().path("pending_commands").toString())
                .isEqualTo("[{\"command\":\"restart\",\"reason\":\"looping\",\"drain_timeout_seconds\":120}]");
        assertThat(get("/api/v1/intents/invoice/leases?status=expired")
                        .at("/leases/0/reason")
                        .textValue())
                .isEqualTo("agent_looping");
        acquire(other, 201);
        assertThat(agent.pulse().loop().releasesLeases()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"no_progress_seconds\":1,\"repeats\":12,\"tool\":7 | warning  12",
                "\"no_progress_seconds\":1,\"repeats\":12,\"tool\":\"search\",\"for\":7 | warning search 12",
                "\"no_progress_seconds\":-1,\"repeats\":12,\"tool\":\"search\" | warning search 12",
                "\"repeats\":2000000,\"tool\":\"search\" | error search 1000000",
            })
    void a_mistake_in_another_part_of_the_activity_hides_no_loop(String activity, String loop) {
        TestAgent agent = agent("");
        TestApi.Response answer = agent.sendHeartbeat("active", ",\"activity\":{\"phase\":\"tool\"," + activity + "}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("warnings")).hasSize(1);
        harness.sweep();
        assertThat(loops(agent)).containsExactly(loop);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"max_repeats\":1 | heartbeat_config.max_repeats",
                "\"max_repeats\":10001 | heartbeat_config.max_repeats",
                "\"max_repeats\":\"often\" | heartbeat_config.max_repeats",
                "\"release_leases_when_looping\":true | heartbeat_config.release_leases_when_looping",
                "\"restart_when_looping\":true | heartbeat_config.restart_when_looping",
            })
    void a_bad_declaration_names_its_field(String config, String field) {
        TestApi.Response refused =
                new TestAgent(harness.system(), "wrong").register(",\"heartbeat_config\":{" + config + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly(field);
    }

    @Test
    void a_role_may_declare_it() {
        assertThat(harness.system()
                        .api()
                        .put("/api/v1/workflows/loops")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("agents:\n  worker:\n    heartbeat:\n      max_repeats: 7\n")
                        .send()
                        .status())
                .isEqualTo(201);
        TestAgent inherited = new TestAgent(harness.system(), "inherited");
        inherited.register("");
        assertThat(get("/api/v1/agents/inherited")
                        .at("/heartbeat_config/max_repeats")
                        .intValue())
                .isEqualTo(7);
        assertThat(inherited
                        .change("{\"heartbeat_config\":{\"max_repeats\":null}}")
                        .status())
                .isEqualTo(200);
        assertThat(get("/api/v1/agents/inherited").path("heartbeat_config").has("max_repeats"))
                .isFalse();
    }

    private TestAgent agent(String more) {
        TestAgent agent = new TestAgent(harness.system(), "billing-1");
        TestApi.Response response = agent.register(",\"heartbeat_config\":{\"max_repeats\":10" + more + "}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return agent;
    }

    private static TestApi.Response beat(TestAgent agent, int repeats, String tool) {
        TestApi.Response response = agent.sendHeartbeat(
                "active",
                ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":40,\"repeats\":" + repeats + ",\"tool\":\""
                        + tool + "\"}");
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response;
    }

    private JsonNode pool() {
        return harness.system()
                .api()
                .get("/api/v1/pools/worker")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
    }

    static List<String> loops(TestAgent agent) {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().startsWith("agent.looping"))
                .map(event -> (event.get("type").textValue().equals("agent.looping")
                                ? event.get("severity").textValue()
                                : "over")
                        + " " + event.path("tool").asText() + " " + event.get("repeats"))
                .toList();
    }

    private void acquire(TestAgent agent, int status) {
        TestApi.Response response = harness.system()
                .api()
                .post("/api/v1/intents/invoice/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"send\",\"duration_seconds\":3600}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
    }

    private JsonNode list(String query) {
        return get("/api/v1/agents?" + query);
    }

    private JsonNode get(String path) {
        String[] parts = path.split("[?=]");
        TestApi.Request request = harness.system().api().get(parts[0]).key(TestSystem.ADMINISTRATOR_KEY);
        TestApi.Response response = (parts.length == 1 ? request : request.query(parts[1], parts[2])).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }
}
