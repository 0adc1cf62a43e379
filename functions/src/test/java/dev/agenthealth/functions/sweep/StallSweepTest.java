package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Agents that send heartbeats and make no progress: what a heartbeat may say, what the sweep publishes, and what reads show. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StallSweepTest {

    private static final String DECLARED =
            ",\"heartbeat_config\":{\"stall_after_seconds\":{\"model\":60,\"tool\":900}%s}";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void a_stall_is_published_once_for_each_level_and_its_end_once() {
        TestAgent agent = agent("");
        beat(agent, "tool", 890);
        harness.sweep();
        assertThat(stalls(agent)).isEmpty();
        for (int age = 920; age < 2_000; age += 30) {
            harness.passTime(30);
            beat(agent, "tool", age);
            harness.sweep();
        }
        assertThat(stalls(agent)).containsExactly("warning tool", "error tool");
        harness.passTime(30);
        beat(agent, "tool", 1);
        harness.sweep();
        harness.sweep();
        assertThat(stalls(agent)).containsExactly("warning tool", "error tool", "over progress");
        agent.assertHistoryIsWhole("a stall and its end");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void a_stalled_agent_that_declares_it_is_asked_to_restart_once() {
        TestAgent agent = agent(",\"restart_when_stalled\":true");
        beat(agent, "tool", 901);
        harness.sweep();
        harness.passTime(30);
        assertThat(beat(agent, "tool", 931).json().path("pending_commands").toString())
                .isEqualTo(
                        """
                        [{"command":"restart","reason":"stalled","drain_timeout_seconds":120}]\
                        """);
        withdraw(agent);
        beat(agent, "tool", 1_801);
        harness.sweep();
        assertThat(stalls(agent)).containsExactly("warning tool", "error tool");
        assertThat(agent.sendHeartbeat().json().path("pending_commands")).isEmpty();
    }

    @Test
    void a_command_that_arrives_meanwhile_stays() {
        TestAgent agent = agent(",\"restart_when_stalled\":true");
        beat(agent, "tool", 901);
        request(agent, "{\"command\":\"drain\",\"reason\":\"maintenance\"}");
        harness.sweep();
        assertThat(stalls(agent)).containsExactly("warning tool");
        assertThat(agent.sendHeartbeat()
                        .json()
                        .at("/pending_commands/0/command")
                        .textValue())
                .isEqualTo("drain");
    }

    private void request(TestAgent agent, String command) {
        assertThat(harness.system()
                        .api()
                        .post("/api/v1/agents/" + agent.id() + "/commands")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(command)
                        .send()
                        .status())
                .isEqualTo(202);
    }

    private void withdraw(TestAgent agent) {
        assertThat(harness.system()
                        .api()
                        .delete("/api/v1/agents/" + agent.id() + "/commands/drain")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    @Test
    void the_event_says_where_and_for_how_long() {
        TestAgent agent = agent("");
        beat(agent, "model", 75.5);
        harness.sweep();
        JsonNode event = last(agent);
        assertThat(event.get("type").textValue()).isEqualTo("agent.stalled");
        assertThat(event.get("role_id").textValue()).isEqualTo("worker");
        assertThat(event.get("no_progress_seconds").intValue()).isEqualTo(75);
        assertThat(event.get("stall_after_seconds").intValue()).isEqualTo(60);
        assertThat(event.get("last_progress_at").textValue())
                .isEqualTo(harness.now().minusMillis(75_500).toString());
        assertThat(event.get("stalled_since").textValue())
                .isEqualTo(harness.now().minusMillis(15_500).toString());
    }

    @ParameterizedTest
    @CsvSource({"61, degraded", "121, down", "60, ok"})
    void the_verdict_follows_the_last_heartbeat(int age, String verdict) {
        TestAgent agent = agent("");
        beat(agent, "model", age);
        JsonNode row = list("role_id=worker").path("agents").path(0);
        assertThat(row.path("verdict").textValue()).isEqualTo(verdict);
        boolean stalled = age > 60;
        assertThat(row.path("reasons").toString()).isEqualTo(stalled ? "[\"stalled\"]" : "[]");
        assertThat(row.path("stalled").booleanValue()).isEqualTo(stalled);
        assertThat(row.path("stalled_since").isNull()).isEqualTo(!stalled);
        assertThat(row.path("activity").path("phase").textValue()).isEqualTo("model");
        assertThat(list("stalled=true").path("agents")).hasSize(stalled ? 1 : 0);
        assertThat(list("stalled=false").path("agents")).hasSize(stalled ? 0 : 1);
        JsonNode pool = get("/api/v1/pools/worker");
        assertThat(pool.path("stalled").intValue()).isEqualTo(stalled ? 1 : 0);
        assertThat(get("/api/v1/pools").path("pools").path(0).path("stalled").intValue())
                .isEqualTo(stalled ? 1 : 0);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(list("role_id=worker")
                        .path("agents")
                        .path(0)
                        .path("activity")
                        .isNull())
                .isTrue();
    }

    @Test
    void the_sentence_names_phase_and_times() {
        TestAgent agent = agent("");
        beat(agent, "tool", 950);
        assertThat(get("/api/v1/agents/" + agent.id() + "/health")
                        .path("reasons")
                        .path(0)
                        .textValue())
                .matches(
                        "A task has made no progress in a tool since 20\\S+Z, longer than the 900 seconds that the agent"
                                + " declares\\.");
    }

    @Test
    void a_person_and_an_undeclared_phase_may_take_their_time() {
        TestAgent agent = agent("");
        for (String phase : List.of("human", "other", "a_phase_of_a_later_version")) {
            beat(agent, phase, 900_000);
            harness.sweep();
        }
        assertThat(stalls(agent)).isEmpty();
    }

    @Test
    void nothing_is_judged_without_a_declaration() {
        TestAgent agent = harness.agent("undeclared");
        beat(agent, "tool", 900_000);
        harness.sweep();
        assertThat(stalls(agent)).isEmpty();
    }

    @Test
    void a_changed_declaration_holds_at_once() {
        TestAgent agent = agent("");
        beat(agent, "tool", 100);
        changed(agent, "{\"heartbeat_config\":{\"stall_after_seconds\":90}}");
        harness.sweep();
        assertThat(stalls(agent)).containsExactly("warning tool");
        changed(agent, "{\"heartbeat_config\":{\"stall_after_seconds\":null}}");
        harness.sweep();
        assertThat(stalls(agent)).containsExactly("warning tool", "over progress");
    }

    @Test
    void the_stall_of_a_silent_agent_stays_and_that_of_a_dead_one_is_over() {
        TestAgent agent = agent("");
        beat(agent, "tool", 950);
        harness.sweep();
        harness.passTime(120);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(stalls(agent)).containsExactly("warning tool");
        harness.passTime(240);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(stalls(agent)).containsExactly("warning tool", "over ended");
        harness.sweep();
        assertThat(stalls(agent)).hasSize(2);
        agent.assertHistoryIsWhole("a stall that ended with death");
        harness.system().clock().advance(DownRule.MAX_DOWN);
        harness.sweep();
        assertThat(agent.stored().archived()).isTrue();
    }

    @Test
    void a_recovery_keeps_what_its_heartbeat_says() {
        TestAgent agent = agent("");
        harness.passTime(120);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        beat(agent, "tool", 1_000);
        assertThat(agent.pulse().activity().isRunning()).isTrue();
        harness.sweep();
        assertThat(stalls(agent)).containsExactly("warning tool");
    }

    @Test
    void leases_of_a_stalled_agent_are_handed_on_where_it_declares_that() {
        TestAgent stuck = agent(",\"release_leases_when_stalled\":true");
        TestAgent other = harness.agent("other");
        JsonNode lease = acquire(stuck, 201);
        acquire(other, 409);
        beat(stuck, "tool", 950);
        harness.sweep();
        assertThat(get("/api/v1/intents/invoice/leases?status=expired")
                        .path("leases")
                        .path(0)
                        .path("reason")
                        .textValue())
                .isEqualTo("agent_stalled");
        JsonNode next = acquire(other, 201);
        assertThat(next.path("fencing_token").longValue())
                .isGreaterThan(lease.path("fencing_token").longValue());
        assertThat(stuck.pulse().stall().releasesLeases()).isFalse();
        assertThat(stuck.pulse().stall().level()).isEqualTo(StallLevel.WARNING);
    }

    @Test
    void leases_stay_where_nothing_is_declared_about_them() {
        TestAgent stuck = agent("");
        acquire(stuck, 201);
        beat(stuck, "tool", 950);
        harness.sweep();
        acquire(harness.agent("other"), 409);
    }

    @ParameterizedTest
    @EnumSource(value = WriteFailure.class, mode = EnumSource.Mode.EXCLUDE, names = "IS_REJECTED")
    @Tag("exhaustive")
    void a_pass_that_fails_at_any_write_is_continued_by_the_next(WriteFailure way) {
        boolean failed = true;
        for (int write = 1; failed; write++) {
            harness.startAfresh();
            TestAgent stuck = agent(",\"release_leases_when_stalled\":true");
            acquire(stuck, 201);
            beat(stuck, "tool", 950);
            TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(write, way);
            try {
                SweepHarness.run(harness.sweepThrough(crashing));
            } catch (Crash | CompletionException e) {
                assertThat(crashing.hasFailed()).isTrue();
            }
            crashing.settle();
            failed = crashing.hasFailed();
            harness.passTime(30);
            harness.sweep();
            String about = way + " at write " + write;
            assertThat(stalls(stuck)).as(about).containsExactly("warning tool");
            acquire(harness.agent("other"), 201);
            assertThat(stuck.pulse().stall().releasesLeases()).as(about).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"phase\":\"tool\",\"no_progress_seconds\":-1} | activity.no_progress_seconds",
                "{\"phase\":\"tool\",\"no_progress_seconds\":\"1\"} | activity.no_progress_seconds",
                "{\"phase\":\"tool\"} | activity.no_progress_seconds",
                "{\"no_progress_seconds\":1} | activity.phase",
                "{\"phase\":7,\"no_progress_seconds\":1} | activity.phase",
                "[] | activity",
            })
    void a_bad_activity_is_a_warning_that_names_its_field(String activity, String field) {
        TestAgent agent = agent("");
        TestApi.Response answer = agent.sendHeartbeat("active", ",\"activity\":" + activity);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("warnings").findValuesAsText("field")).containsExactly(field);
        assertThat(answer.json().at("/warnings/0/message").asText()).startsWith("is not used: it ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"stall_after_seconds\":0 | heartbeat_config.stall_after_seconds",
                "\"stall_after_seconds\":\"soon\" | heartbeat_config.stall_after_seconds",
                "\"stall_after_seconds\":{\"tool\":2592001} | heartbeat_config.stall_after_seconds.tool",
                "\"stall_after_seconds\":{\"dream\":1} | heartbeat_config.stall_after_seconds.dream",
                "\"release_leases_when_stalled\":true | heartbeat_config.release_leases_when_stalled",
            })
    void a_bad_declaration_names_its_field(String config, String field) {
        TestApi.Response refused =
                new TestAgent(harness.system(), "wrong").register(",\"heartbeat_config\":{" + config + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field")).contains(field);
    }

    @Test
    void a_declaration_is_shown_as_it_was_sent_and_a_role_may_make_it() {
        TestAgent agent = new TestAgent(harness.system(), "plain");
        agent.register(",\"heartbeat_config\":{\"stall_after_seconds\":600}");
        assertThat(config(agent).path("stall_after_seconds").intValue()).isEqualTo(600);
        changed(agent, "{\"heartbeat_config\":{\"stall_after_seconds\":{\"human\":7,\"tool\":8}}}");
        assertThat(config(agent).path("stall_after_seconds").toString()).isEqualTo("{\"tool\":8,\"human\":7}");
        changed(agent, "{\"heartbeat_config\":{\"stall_after_seconds\":null}}");
        assertThat(config(agent).has("stall_after_seconds")).isFalse();
        String workflow = "agents:\n  worker:\n    heartbeat:\n      stall_after_seconds: 300\n";
        assertThat(harness.system()
                        .api()
                        .put("/api/v1/workflows/stuck")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(workflow)
                        .send()
                        .status())
                .isEqualTo(201);
        TestAgent inherited = new TestAgent(harness.system(), "inherited");
        inherited.register("");
        assertThat(config(inherited).path("stall_after_seconds").intValue()).isEqualTo(300);
    }

    private static void changed(TestAgent agent, String body) {
        TestApi.Response response = agent.change(body);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    private JsonNode config(TestAgent agent) {
        return get("/api/v1/agents/" + agent.id()).path("heartbeat_config");
    }

    private TestAgent agent(String more) {
        TestAgent agent = new TestAgent(harness.system(), "billing-1");
        TestApi.Response response = agent.register(DECLARED.formatted(more));
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return agent;
    }

    private static TestApi.Response beat(TestAgent agent, String phase, double age) {
        String activity = ",\"activity\":{\"phase\":\"" + phase + "\",\"no_progress_seconds\":" + age + "}";
        TestApi.Response response = agent.sendHeartbeat("active", activity);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response;
    }

    private static List<String> stalls(TestAgent agent) {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().startsWith("agent.stall"))
                .map(event -> event.get("type").textValue().equals("agent.stalled")
                        ? event.get("severity").textValue() + " "
                                + event.get("phase").textValue()
                        : "over " + event.get("reason").textValue())
                .toList();
    }

    private static JsonNode last(TestAgent agent) {
        List<JsonNode> events = agent.events();
        return events.get(events.size() - 1);
    }

    private JsonNode acquire(TestAgent agent, int status) {
        TestApi.Response response = harness.system()
                .api()
                .post("/api/v1/intents/invoice/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"send\",\"duration_seconds\":3600}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        return response.json();
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
