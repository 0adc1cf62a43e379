package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The sweep cleans up after dead and deregistered agents at once, and archives the deregistered after an hour and the dead after 30 days. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class CleanUpTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    @Tag("R16-26")
    void an_agent_marked_as_dead_is_cleaned_up_in_the_same_pass() {
        TestAgent agent = withTasks("silent");
        harness.passTime(310);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(agent.pulse().cleanUp().isPending()).isFalse();
    }

    @Test
    @Tag("R16-10")
    void the_last_tasks_of_a_gone_agent_are_readable_until_it_is_archived() {
        withTasks("silent");
        harness.passTime(310);
        JsonNode dead = get("silent").json();
        assertThat(dead.get("status").textValue()).isEqualTo("dead");
        assertThat(dead.get("tasks_in_progress")).hasSize(1);
        assertThat(dead.get("unleased_tasks")).isEqualTo(dead.get("tasks_in_progress"));
        archiveGoneAgents();
        assertThat(tasksOf("silent")).isEmpty();
        assertThat(get("silent").json().get("tasks_in_progress")).isEmpty();
    }

    @Test
    @Tag("R16-30")
    void a_deregistered_agent_is_cleaned_up_by_the_next_pass() {
        TestAgent agent = withTasks("leaving");
        agent.deregister();
        assertThat(agent.pulse().cleanUp().through()).isEqualTo(1);
        assertThat(harness.sweep()).containsEntry("cleaned_up", 1L);
        assertThat(agent.pulse().cleanUp().isPending()).isFalse();
        assertThat(harness.sweep()).containsEntry("cleaned_up", 0L);
    }

    @Test
    void an_interrupted_clean_up_is_resumed() {
        TestAgent agent = withTasks("leaving");
        agent.deregister();
        // The pass's start, the agent's mark, the end of the clean-up.
        harness.sweepThrough(new TestDynamoDb(harness.system().dynamoDb()).failAt(3, WriteFailure.IS_REJECTED))
                .passes(null);
        assertThat(agent.pulse().cleanUp().through())
                .as("the end of the clean-up was not written")
                .isEqualTo(1);
        assertThat(harness.sweep()).containsEntry("cleaned_up", 1L);
        assertThat(agent.pulse().cleanUp().isPending()).isFalse();
    }

    @Test
    @Tag("R16-06")
    void a_pending_clean_up_survives_a_registration_and_spares_the_new_incarnation() {
        TestAgent agent = withTasks("hurried");
        agent.deregister();
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.pulse().cleanUp().through())
                .as("of the first incarnation")
                .isEqualTo(1);
        agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"new\"]");
        assertThat(harness.sweep()).containsEntry("cleaned_up", 1L);
        assertThat(agent.stored().tasks()).containsExactly("new");
        assertThat(agent.pulse().cleanUp().isPending()).isFalse();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void a_clean_up_continues_during_a_blackout() {
        withTasks("silent");
        TestAgent leaving = withTasks("leaving");
        harness.passTime(280);
        leaving.deregister();
        harness.publicApi().dropHeartbeats();
        harness.passTime(30);
        assertThat(harness.registryEvents("registry.blackout")).hasSize(1);
        assertThat(leaving.pulse().cleanUp().isPending()).isFalse();
    }

    @Test
    @Tag("R16-13")
    @Tag("R16-30")
    void an_hour_after_its_end_an_agent_is_archived_and_still_readable() {
        TestAgent agent = harness.agent("gone");
        harness.system()
                .api()
                .patch("/api/v1/agents/gone")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"metadata\":{\"runtime\":\"java\"}}")
                .send();
        agent.deregister();
        harness.sweep();
        String before = get("gone").text();
        harness.system().clock().advance(Duration.ofHours(1));
        assertThat(harness.sweep()).as("strictly more than an hour").containsEntry("archived", 0L);
        harness.system().clock().advance(Duration.ofMillis(1));
        assertThat(harness.sweep()).containsEntry("archived", 1L);
        assertThat(harness.row("gone")).isEmpty();
        assertThat(get("gone").text()).as("the record is kept for audit").isEqualTo(before);
        assertThat(list("deregistered")).contains("\"gone\"");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        assertThat(new TestAgent(harness.system(), "unknown").sendHeartbeat().status())
                .isEqualTo(404);
        assertThat(agent.deregister().status()).isEqualTo(204);
        assertThat(harness.sweep()).containsEntry("archived", 0L).containsEntry("monitored", 0L);
    }

    @Test
    void archived_agents_are_in_no_capability_or_role_index() {
        TestAgent agent = harness.agent("gone");
        assertThat(tags()).hasSize(2);
        agent.deregister();
        harness.sweep();
        assertThat(tags()).as("until it is archived").hasSize(2);
        archiveGoneAgents();
        assertThat(tags()).isEmpty();
    }

    @Test
    @Tag("R16-06")
    void registering_an_archived_agent_continues_its_history() {
        TestAgent agent = harness.agent("lazarus");
        harness.passTime(310);
        agent.dismiss("");
        harness.system().clock().advanceSeconds(3_601);
        harness.sweep();
        assertThat(agent.stored().archived()).isTrue();
        Response response = agent.register("");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        assertThat(agent.stored().archived()).isFalse();
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        List<JsonNode> events = agent.events();
        assertThat(events.get(events.size() - 1).get("sequence").longValue()).isEqualTo(5);
        assertThat(tags()).hasSize(2);
        assertThat(harness.items(
                        TestTables.REGISTRY,
                        item -> SweepHarness.text(item, "pk").equals("A#lazarus")
                                && List.of("P", "M", "T").contains(SweepHarness.text(item, "sk"))))
                .as("no item of a registered agent expires, and it has no tombstone")
                .isNotEmpty()
                .noneMatch(item -> item.containsKey("ttl"))
                .noneMatch(item -> SweepHarness.text(item, "sk").equals("T"));
        agent.assertHistoryIsWhole("back from the tombstone");
        harness.passTime(60, agent::sendHeartbeat);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    private TestAgent withTasks(String id) {
        TestAgent agent = harness.agent(id);
        agent.sendHeartbeat("active", ",\"current_load\":1,\"tasks_in_progress\":[\"old\"]");
        assertThat(tasksOf(id)).hasSize(1);
        return agent;
    }

    private void archiveGoneAgents() {
        harness.system().clock().advance(DownRule.MAX_DOWN);
        assertThat(harness.sweep()).containsEntry("archived", 1L);
    }

    private List<Map<String, AttributeValue>> tasksOf(String id) {
        return harness.items(
                TestTables.REGISTRY,
                item -> SweepHarness.text(item, "pk").equals("A#" + id)
                        && SweepHarness.text(item, "sk").equals("W"));
    }

    private List<Map<String, AttributeValue>> tags() {
        return harness.items(
                TestTables.REGISTRY, item -> SweepHarness.text(item, "pk").matches("[CR]#.*"));
    }

    private Response get(String id) {
        return harness.system()
                .api()
                .get("/api/v1/agents/" + id)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    private String list(String status) {
        return harness.system()
                .api()
                .get("/api/v1/agents")
                .query("status", status)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .text();
    }
}
