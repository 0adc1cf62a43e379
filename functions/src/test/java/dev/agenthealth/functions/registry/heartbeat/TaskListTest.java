package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The task list of an agent is written only when it changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class TaskListTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void a_list_is_written_only_when_it_changed() {
        TestAgent agent = newAgent();
        assertRequests(agent, "[\"a\",\"b\"]", "UpdateItem", "TransactWriteItems");
        assertThat(agent.stored().tasks()).containsExactly("a", "b");
        assertRequests(agent, "[\"a\",\"b\"]", "UpdateItem");
        assertRequests(agent, "[\"b\",\"a\"]", "UpdateItem");
        assertThat(agent.stored().tasks()).containsExactly("a", "b");
        assertRequests(agent, "[\"b\"]", "UpdateItem", "TransactWriteItems");
        assertThat(agent.stored().tasks()).containsExactly("b");
        assertThat(agent.pulse().workload().taskCount()).isEqualTo(1);
    }

    @Test
    void an_omitted_list_keeps_the_tasks_and_an_empty_list_removes_them() {
        TestAgent agent = newAgent();
        assertRequests(agent, "[]", "UpdateItem");
        assertRequests(agent, "[\"a\"]", "UpdateItem", "TransactWriteItems");
        assertRequests(agent, "null", "UpdateItem");
        assertThat(agent.stored().tasks()).containsExactly("a");
        assertRequests(agent, "[]", "UpdateItem", "TransactWriteItems");
        assertThat(agent.stored().tasks()).isEmpty();
        assertRequests(agent, "[]", "UpdateItem");
    }

    @Test
    void a_new_incarnation_begins_without_tasks() {
        TestAgent agent = newAgent();
        sendHeartbeat(system.api(), agent, "[\"a\"]");
        agent.deregister();
        agent.register("");
        assertThat(agent.stored().tasks()).isEmpty();
        assertThat(agent.pulse().workload().taskCount()).isZero();
        assertRequests(agent, "[\"a\"]", "UpdateItem", "TransactWriteItems");
        assertThat(agent.stored().tasks()).containsExactly("a");
    }

    @Test
    void archiving_removes_the_list() {
        TestAgent agent = newAgent();
        sendHeartbeat(system.api(), agent, "[\"a\"]");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(agent.stored().tasks()).isEmpty();
        assertThat(system.tables().dynamoDb().scan(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                        .filter(item -> item.get("pk").s().equals("A#" + agent.id()))
                        .map(item -> item.get("sk").s()))
                .doesNotContain("W");
    }

    @Test
    void the_list_of_an_earlier_incarnation_never_replaces_the_new_list() {
        TestAgent agent = newAgent();
        AtomicBoolean once = new AtomicBoolean();
        TestApi slow = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && once.compareAndSet(false, true)) {
                agent.deregister();
                agent.register("");
                sendHeartbeat(system.api(), agent, "[\"new\"]");
            }
        }));
        assertThat(sendHeartbeat(slow, agent, "[\"old\"]")).isEqualTo(200);
        assertThat(agent.stored().tasks()).containsExactly("new");
        assertRequests(agent, "[\"new\"]", "UpdateItem");
    }

    @Test
    void the_last_written_list_has_its_own_digest() {
        TestAgent agent = newAgent();
        AtomicBoolean once = new AtomicBoolean();
        TestApi slow = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && once.compareAndSet(false, true)) {
                sendHeartbeat(system.api(), agent, "[\"second\"]");
            }
        }));
        sendHeartbeat(slow, agent, "[\"first\"]");
        List<String> stored = agent.stored().tasks();
        assertThat(stored).containsExactly("first");
        assertRequests(agent, "[\"first\"]", "UpdateItem");
        assertRequests(agent, "[\"second\"]", "UpdateItem", "TransactWriteItems");
        assertThat(agent.stored().tasks()).containsExactly("second");
    }

    @Test
    void tasks_reported_with_a_recovery_or_a_drain_are_kept_and_those_of_the_last_heartbeat_are_not() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        sendHeartbeat(system.api(), agent, "[\"a\"]");
        assertThat(agent.stored().tasks()).containsExactly("a");
        agent.sendHeartbeat("draining", ",\"current_load\":1,\"tasks_in_progress\":[\"b\"]");
        assertThat(agent.stored().tasks()).containsExactly("b");
        system.meter().reset();
        agent.sendHeartbeat("draining", ",\"current_load\":0,\"tasks_in_progress\":[]");
        assertThat(system.meter().operations()).containsExactly("UpdateItem", "Query", "GetItem", "TransactWriteItems");
        agent.assertHistoryIsWhole("tasks in every status");
    }

    private void assertRequests(TestAgent agent, String tasks, String... operations) {
        system.meter().reset();
        assertThat(sendHeartbeat(system.api(), agent, tasks)).isEqualTo(200);
        assertThat(system.meter().operations()).as("requests for %s", tasks).containsExactly(operations);
    }

    private static int sendHeartbeat(TestApi api, TestAgent agent, String tasks) {
        return agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":" + tasks)
                .status();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
