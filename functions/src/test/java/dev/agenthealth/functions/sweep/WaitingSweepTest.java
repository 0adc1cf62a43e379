package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents that wait for a person: what a heartbeat may say, what the sweep publishes, and what reads show. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaitingSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void a_wait_of_a_minute_is_published_once_and_its_end_once() {
        TestAgent agent = harness.agent("asker");
        beat(agent, 59, "");
        harness.sweep();
        assertThat(waits(agent)).isEmpty();
        for (int age = 60; age < 400; age += 30) {
            beat(agent, age, "");
            harness.sweep();
            harness.passTime(30);
        }
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person");
        agent.sendHeartbeat();
        harness.sweep();
        harness.sweep();
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person", "agent.waiting_over continued");
        agent.assertHistoryIsWhole("a wait and its end");
    }

    @Test
    void a_later_wait_is_another_wait() {
        TestAgent agent = harness.agent("asker");
        beat(agent, 70, "A");
        harness.sweep();
        harness.passTime(30);
        beat(agent, 91, "A");
        harness.sweep();
        harness.passTime(30);
        beat(agent, 0, "B");
        harness.sweep();
        harness.sweep();
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person", "agent.waiting_over continued");
        harness.passTime(60);
        beat(agent, 60, "B");
        harness.sweep();
        assertThat(waits(agent))
                .containsExactly(
                        "agent.waiting needs_person", "agent.waiting_over continued", "agent.waiting needs_person");
        assertThat(agent.events()
                        .get(agent.events().size() - 1)
                        .path("waiting_since")
                        .asText())
                .isEqualTo(Timestamps.text(harness.now().minusSeconds(60)));
        agent.assertHistoryIsWhole("two waits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"no_progress_seconds\":-1", ",\"no_progress_seconds\":\"long\""})
    void a_wait_without_a_valid_age_keeps_its_beginning(String age) {
        TestAgent agent = harness.agent("asker");
        String begun = Timestamps.text(harness.now());
        for (int i = 0; i < 4; i++) {
            TestApi.Response answer = beatWithoutAge(agent, age, "A");
            assertThat(answer.json().at("/warnings/0/field").asText()).isEqualTo("activity.no_progress_seconds");
            assertThat(record(agent).path("waiting_since").asText()).isEqualTo(begun);
            harness.sweep();
            harness.passTime(30);
        }
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person");
        beatWithoutAge(agent, age, "B");
        assertThat(record(agent).path("waiting_since").asText()).isEqualTo(Timestamps.text(harness.now()));
    }

    @Test
    void the_wait_of_an_agent_that_ends_is_over() {
        TestAgent agent = harness.agent("asker");
        beat(agent, 90, "");
        harness.sweep();
        agent.deregister();
        harness.sweep();
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person", "agent.waiting_over ended");
    }

    @Test
    void an_unhealthy_agent_still_waits_and_a_dead_agent_does_not() {
        TestAgent agent = harness.agent("asker");
        beat(agent, 90, "");
        harness.sweep();
        harness.passTime(120);
        harness.sweep();
        assertThat(record(agent).path("status").asText()).isEqualTo("unhealthy");
        assertThat(waiting("unhealthy")).hasSize(1);
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person");
        harness.passTime(600);
        harness.sweep();
        assertThat(record(agent).path("status").asText()).isEqualTo("dead");
        assertThat(waiting("dead")).isEmpty();
        harness.sweep();
        assertThat(waits(agent)).containsExactly("agent.waiting needs_person", "agent.waiting_over ended");
    }

    @Test
    void an_operator_decides_after_which_time_a_wait_is_published() {
        ConfigurationStore store = new ConfigurationStore(harness.system().database());
        store.replace(store.current(), RuntimeConfiguration.DEFAULT.with(RuntimeSettings.WAITING_AFTER_SECONDS, 600));
        TestAgent agent = harness.agent("asker");
        beat(agent, 599, "");
        harness.sweep();
        assertThat(waits(agent)).isEmpty();
        beat(agent, 600, "");
        harness.sweep();
        assertThat(waits(agent)).hasSize(1);
    }

    @Test
    void a_waiting_agent_is_listed_with_the_reason_and_its_verdict_stays() {
        TestAgent agent = harness.agent("asker");
        harness.agent("worker").sendHeartbeat();
        beat(agent, 5, "approval of invoice 4711");
        JsonNode listed = get("/api/v1/agents?waiting=true").path("agents");
        assertThat(listed).hasSize(1);
        JsonNode row = listed.path(0);
        assertThat(row.path("agent_id").textValue()).isEqualTo(agent.id());
        assertThat(row.path("verdict").textValue()).isEqualTo("ok");
        assertThat(row.path("reasons").toString()).isEqualTo("[\"waiting_for_person\"]");
        assertThat(row.path("waiting_since").textValue())
                .isEqualTo(Timestamps.text(harness.now().minusSeconds(5)));
        assertThat(get("/api/v1/agents?waiting=false").path("agents")).hasSize(1);
        assertThat(record(agent).path("waiting_for").textValue()).isEqualTo("approval of invoice 4711");
    }

    @Test
    void the_text_belongs_to_the_present_wait() {
        TestAgent agent = harness.agent("asker");
        beat(agent, 5, "approval of invoice 4711");
        beat(agent, 10, "approval of invoice 4712");
        assertThat(record(agent).path("waiting_for").textValue()).isEqualTo("approval of invoice 4712");
        agent.sendHeartbeat();
        assertThat(record(agent).path("waiting_for").isNull()).isTrue();
        beat(agent, 5, "");
        assertThat(record(agent).path("waiting_for").isNull()).isTrue();
    }

    @Test
    void a_text_of_any_form_is_shown_on_one_line_of_200_characters() {
        TestAgent agent = harness.agent("asker");
        TestApi.Response answer = beat(agent, 5, "approve\\n\\u202Ethis " + "x".repeat(300));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().has("warnings")).isFalse();
        assertThat(record(agent).path("waiting_for").textValue())
                .startsWith("approve this xxx")
                .hasSize(200);
    }

    @Test
    void no_event_and_no_public_document_has_the_text() {
        TestAgent agent = harness.agent("asker");
        beat(agent, 90, "approval of invoice 4711");
        harness.sweep();
        assertThat(agent.events().toString()).contains("agent.waiting").doesNotContain("4711");
        assertThat(get("/agents/" + agent.id() + "/.well-known/agent-health").toString())
                .doesNotContain("4711");
        assertThat(get("/api/v1/agents").toString()).doesNotContain("4711");
    }

    @Test
    void leases_of_a_waiting_agent_stay_and_are_renewed() {
        TestAgent agent = harness.agent("asker");
        String leases = "/api/v1/intents/order-1/leases";
        JsonNode lease = harness.system()
                .api()
                .post(leases)
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"approve\",\"duration_seconds\":300}")
                .send()
                .json();
        for (int age = 30; age <= 240; age += 30) {
            harness.passTime(30);
            beat(agent, age, "");
            harness.sweep();
        }
        assertThat(harness.system()
                        .api()
                        .patch(leases + "/" + lease.path("id").textValue())
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"duration_seconds\":300}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private TestApi.Response beat(TestAgent agent, int age, String what) {
        String text = what.isEmpty() ? "" : ",\"for\":\"" + what + "\"";
        return agent.sendHeartbeat(
                "active", ",\"activity\":{\"phase\":\"human\",\"no_progress_seconds\":" + age + text + "}");
    }

    private static TestApi.Response beatWithoutAge(TestAgent agent, String age, String what) {
        return agent.sendHeartbeat("active", ",\"activity\":{\"phase\":\"human\"" + age + ",\"for\":\"" + what + "\"}");
    }

    private List<String> waits(TestAgent agent) {
        return agent.events().stream()
                .filter(event -> event.path("type").asText().startsWith("agent.waiting"))
                .map(event ->
                        event.path("type").asText() + " " + event.path("reason").asText())
                .toList();
    }

    private JsonNode record(TestAgent agent) {
        return get("/api/v1/agents/" + agent.id());
    }

    private JsonNode waiting(String status) {
        return harness.system()
                .api()
                .get("/api/v1/agents")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("waiting", "true")
                .query("status", status)
                .send()
                .json()
                .path("agents");
    }

    private JsonNode get(String path) {
        String[] parts = path.split("[?=]");
        TestApi.Request request = harness.system().api().get(parts[0]).key(TestSystem.ADMINISTRATOR_KEY);
        return (parts.length == 1 ? request : request.query(parts[1], parts[2]))
                .send()
                .json();
    }
}
