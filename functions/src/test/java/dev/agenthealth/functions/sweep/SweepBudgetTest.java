package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.RequestMeter.Call;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maximum cost of passes and transitions, as the capacity that DynamoDB reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class SweepBudgetTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final RequestMeter meter = harness.system().meter();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 5_000})
    @Tag("exhaustive")
    void a_pass_with_nothing_overdue_reads_40_units_per_thousand_agents_and_writes_one_and_another_each_minute(
            int agents) {
        // A long id, a capacity, a load and tasks make a row of typical size.
        String prefix = "agent_01KJ3N8Q6V7XH2M4T9ZB5C-";
        TestAgent first = new TestAgent(harness.system(), prefix + 0);
        first.register(",\"capacity\":{\"max_concurrent_tasks\":8}");
        first.sendHeartbeat("active", ",\"current_load\":2,\"tasks_in_progress\":[\"task-a\",\"task-b\"]");
        // Recently registered agents are marked and change the figures, so the first passes are not idle.
        harness.passTime(60, first::sendHeartbeat);
        harness.copyRow(first, prefix, agents);
        harness.passTime(SweepHarness.TICK, first::sendHeartbeat);
        for (int i = 0; i < 2; i++) {
            harness.system().clock().advanceSeconds(SweepHarness.TICK);
            first.sendHeartbeat();
            meter.reset();
            assertThat(harness.sweep()).containsEntry("monitored", (long) agents);
            assertThat(meter.readUnits()).isLessThanOrEqualTo(40.0 * agents / 1_000);
            boolean newMinute = harness.now().getEpochSecond() % 60 < SweepHarness.TICK;
            assertThat(meter.writeUnits()).isLessThanOrEqualTo(newMinute ? 2 : 1);
            assertThat(meter.operations()).contains("GetItem", "UpdateItem", "Query", "Scan");
            assertThat(meter.operations()).containsOnlyOnce("UpdateItem");
            assertThat(meter.operations()).filteredOn("PutItem"::equals).hasSize(newMinute ? 1 : 0);
            assertThat(meter.operations())
                    .as(
                            "leases that expire in 4 parts, pools, revoked keys, blocks in force, ends of blocks, activity while gone, shared limits, rules that contain agents, model providers and their calls in 4 parts;"
                                    + " live leases in 4 parts each minute")
                    .filteredOn("Query"::equals)
                    .hasSize(newMinute ? 20 : 16);
        }
    }

    @Test
    void a_transition_is_one_transaction_of_at_most_ten_units() {
        List<TestAgent> fleet = harness.fleet("agent-", 20, "");
        harness.passTime(90);
        meter.reset();
        harness.passTime(1);
        assertThat(SweepHarness.in(LifecycleStatus.UNHEALTHY, fleet)).isEqualTo(20);
        assertThat(transactions()).hasSize(20);
        harness.passTime(209);
        meter.reset();
        harness.passTime(1);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(20);
        assertThat(transactions()).hasSize(20);
    }

    @Test
    void two_transitions_in_one_pass_are_two_transactions() {
        TestAgent hasty = new TestAgent(harness.system(), "hasty");
        hasty.register(",\"heartbeat_config\":{\"interval_seconds\":1,\"unhealthy_after_seconds\":2,"
                + "\"dead_after_seconds\":4}");
        harness.system().clock().advanceSeconds(10);
        meter.reset();
        harness.sweep();
        assertThat(hasty.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(transactions()).hasSize(2);
    }

    @Test
    @Tag("R16-20")
    void the_end_of_a_drain_is_one_transaction() {
        TestAgent idle = harness.agent("idle");
        idle.drain(harness.system().api());
        meter.reset();
        harness.sweep();
        assertThat(idle.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(transactions()).hasSize(1);
    }

    @Test
    void the_names_of_1500_roles_without_agents_are_marked_and_removed_in_batches() {
        GroupStore groups = new GroupStore(harness.system().database());
        List<String> roles = roles(1_500);
        groups.noteRoles(roles);
        harness.passTime(SweepHarness.TICK);
        assertThat(transactionsOfAPassAfter(3_600)).isEqualTo(15);
        assertThat(groups.page(GroupKind.ROLE, "", 1_500))
                .noneMatch(role -> role.unusedSince().equals(Instant.MAX));
        assertThat(transactionsOfAPassAfter(3_600)).isEqualTo(30);
        assertThat(groups.names(GroupKind.ROLE, "", 10)).isEmpty();
    }

    @Test
    @Tag("slow")
    void pools_of_1500_roles_fall_below_their_minimums_and_recover_in_batches() {
        harness.passTime(SweepHarness.TICK);
        List<String> roles = roles(1_500);
        for (int from = 0; from < roles.size(); from += 50) {
            StringBuilder workflow = new StringBuilder("agents:\n");
            roles.subList(from, Math.min(from + 50, roles.size()))
                    .forEach(role -> workflow.append("  ").append(role).append(": {pool: {min_instances: 1}}\n"));
            declare("w" + from, workflow.toString());
        }
        assertThat(transactionsOfAPassAfter(SweepHarness.TICK)).isEqualTo(30);
        assertThat(transactionsOfAPassAfter(SweepHarness.TICK)).isZero();
        for (int from = 0; from < roles.size(); from += 50) {
            assertThat(harness.system()
                            .api()
                            .delete("/api/v1/workflows/w" + from)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(204);
        }
        assertThat(transactionsOfAPassAfter(SweepHarness.TICK)).isEqualTo(30);
    }

    private static List<String> roles(int number) {
        return IntStream.range(0, number).mapToObj(i -> "role-" + i).toList();
    }

    private void declare(String name, String workflow) {
        assertThat(harness.system()
                        .api()
                        .put("/api/v1/workflows/" + name)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(workflow)
                        .send()
                        .status())
                .isBetween(200, 201);
    }

    private long transactionsOfAPassAfter(int seconds) {
        harness.system().clock().advanceSeconds(seconds);
        meter.reset();
        harness.sweep();
        return meter.operations().stream().filter("TransactWriteItems"::equals).count();
    }

    private List<Call> transactions() {
        List<Call> transactions = meter.calls().stream()
                .filter(call -> call.operation().equals("TransactWriteItems"))
                .toList();
        assertThat(transactions).allSatisfy(call -> assertThat(call.units()).isBetween(2.0, 10.0));
        return transactions;
    }
}
