package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.RequestMeter.Call;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Cost of a heartbeat, as the capacity that DynamoDB reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
@Tag("SYS-01")
class HeartbeatBudgetTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void a_heartbeat_that_changes_nothing_is_one_request_and_one_write_unit() {
        assertOneWriteUnit(newAgent(), "");
    }

    @Test
    void a_heartbeat_with_load_and_unchanged_tasks_is_one_write_unit() {
        TestAgent agent = newAgent();
        String work =
                """
                ,"current_load":3,"tasks_in_progress":["task_01H001","task_01H002","task_01H003"]\
                """;
        agent.sendHeartbeat("active", work);
        assertOneWriteUnit(agent, work);
    }

    @Test
    void a_heartbeat_that_reports_the_start_of_its_process_is_one_write_unit() {
        String start = ",\"started_at\":\"" + system.clock().instant().minusSeconds(5) + "\"";
        assertOneWriteUnit(newAgent(), start);
    }

    @Test
    void a_heartbeat_of_an_agent_with_the_largest_row_is_one_write_unit() {
        TestAgent agent = new TestAgent(system, "a".repeat(64));
        assertThat(agent.register("").status()).isEqualTo(201);
        agent.deregister();
        assertThat(agent.register(
                                """
                                        ,"capacity":{"max_concurrent_tasks":1000000},\
                                        "heartbeat_config":{"interval_seconds":86400,\
                                        "unhealthy_after_seconds":1296000,"dead_after_seconds":2592000}\
                                        """)
                        .status())
                .isEqualTo(201);
        assertThat(agent.send(TestAgent.HEARTBEAT_BODY.formatted("0001-01-01T00:00:00Z"))
                        .status())
                .isEqualTo(200);
        String work = ",\"current_load\":1000000,\"tasks_in_progress\":[\"" + "t".repeat(128) + "\"]";
        agent.sendHeartbeat("draining", work);
        assertThat(agent.pulse().drain().isUnderWay()).isTrue();
        assertThat(agent.pulse().cleanUp().through()).isPositive();
        assertThat(agent.pulse().driftReportedAt()).isAfter(Instant.EPOCH);
        assertThat(agent.pulse().workload().taskCount()).isEqualTo(1);
        assertOneWriteUnit(agent, work);
    }

    @Test
    void a_heartbeat_of_a_draining_agent_is_one_write_unit() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertOneWriteUnit(agent, ",\"current_load\":1");
    }

    @Test
    @Tag("R16-12")
    void a_recovery_is_one_transaction_of_at_most_ten_units() {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        system.meter().reset();
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(system.meter().operations()).containsExactly("UpdateItem", "GetItem", "TransactWriteItems");
        assertTransactionUnits(10);
        assertThat(system.meter().readUnits())
                .as("the profile, strongly consistent")
                .isEqualTo(1);
    }

    @Test
    @Tag("R16-19")
    void the_start_of_a_drain_is_one_transaction_of_at_most_ten_units() {
        TestAgent agent = newAgent();
        system.meter().reset();
        assertThat(agent.sendHeartbeat("draining", ",\"current_load\":1").status())
                .isEqualTo(200);
        assertThat(system.meter().operations()).containsExactly("UpdateItem", "GetItem", "TransactWriteItems");
        assertTransactionUnits(10);
    }

    @Test
    @Tag("R16-13")
    void a_heartbeat_of_a_gone_agent_is_refused_by_one_request_and_counted_by_two() {
        TestAgent agent = newAgent();
        agent.deregister();
        system.meter().reset();
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        assertThat(system.meter().operations())
                .as("the others count the activity while gone")
                .containsExactly("UpdateItem", "BatchGetItem", "PutItem");
    }

    private void assertOneWriteUnit(TestAgent agent, String more) {
        for (int i = 0; i < 3; i++) {
            system.clock().advanceSeconds(1);
            system.meter().reset();
            assertThat(agent.sendHeartbeat("active", more).status()).isEqualTo(200);
            assertThat(system.meter().calls()).containsExactly(new Call("UpdateItem", 1, 0));
        }
    }

    private void assertTransactionUnits(double maxUnits) {
        Call transaction = system.meter().calls().stream()
                .filter(call -> call.operation().equals("TransactWriteItems"))
                .findFirst()
                .orElseThrow();
        assertThat(transaction.units()).isPositive().isLessThanOrEqualTo(maxUnits);
        assertThat(transaction.indexUnits())
                .as("includes status index and feed")
                .isPositive();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
