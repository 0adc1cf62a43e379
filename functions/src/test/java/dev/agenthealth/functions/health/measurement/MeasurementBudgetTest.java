package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.testkit.RequestMeter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cost of the measurement, as requests and the capacity that DynamoDB reports. */
@Tag("AHS-14")
@Tag("SYS-02")
class MeasurementBudgetTest {

    /** Partitions of the index in a small fleet. */
    private static final int SHARDS = 8;

    private static final List<String> WRITES = List.of("PutItem", "UpdateItem", "TransactWriteItems");

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    private final RequestMeter meter = harness.system().meter();

    @Test
    void a_run_with_nothing_due_only_queries_the_marks_for_any_number_of_agents() {
        for (int i = 0; i < 50; i++) {
            harness.agent("idle-" + i, "");
        }
        harness.measure();
        harness.system().clock().advanceSeconds(60);
        meter.reset();
        harness.measure();
        assertThat(meter.operations()).hasSize(SHARDS).containsOnly("Query");
        assertThat(meter.readUnits()).isLessThanOrEqualTo(0.5 * SHARDS);
    }

    @Test
    void only_the_agents_whose_outcomes_changed_are_computed() {
        TestAgent busy = harness.agent("busy", "");
        for (int i = 0; i < 20; i++) {
            harness.report(harness.agent("idle-" + i, ""), 12, 0, 10);
        }
        harness.measure();
        harness.measureAfter(Duration.ofMinutes(31));
        harness.system().clock().advanceSeconds(60);
        harness.report(busy, 12, 0, 10);
        assertThat(harness.measure()).containsEntry("computed", 0L).containsEntry("published", 1L);
    }

    @Test
    void a_changed_slice_costs_three_reads_and_one_write_and_the_health_one_more_write_beside_a_read_of_the_pass() {
        TestAgent agent = harness.agent("busy", "");
        harness.report(agent, 12, 0, 10);
        harness.measure();
        harness.measureAfter(Duration.ofMinutes(6));
        harness.report(agent, 300, 0, 10);
        harness.system().clock().advanceSeconds(60);
        meter.reset();
        assertThat(harness.measure()).containsEntry("computed", 1L);
        assertThat(ofOneAgent())
                .containsExactly("GetItem", "BatchGetItem", "Query", "Query", "UpdateItem", "UpdateItem");
        assertThat(meter.writeUnits())
                .as("the health, the slice, and its mark in the index")
                .isEqualTo(3);
    }

    @Test
    void closed_slices_of_the_day_are_not_read_again() {
        TestAgent agent = harness.agent("busy", "");
        for (int i = 0; i < 24 * 2; i++) {
            harness.report(agent, 20, 1, 10 + i);
            harness.measureAfter(Duration.ofMinutes(30));
        }
        harness.report(agent, 20, 1, 10);
        harness.system().clock().advanceSeconds(180);
        harness.measure();
        harness.report(agent, 20, 1, 10);
        harness.system().clock().advanceSeconds(60);
        meter.reset();
        harness.measure();
        assertThat(ofOneAgent())
                .as("the score changed by a hundredth, so that the agent's row is written too")
                .containsExactly("GetItem", "BatchGetItem", "Query", "Query", "UpdateItem", "UpdateItem", "UpdateItem");
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(50 * 21);
        double reads = meter.readUnits() - 2 * 0.5 * SHARDS;
        assertThat(reads)
                .as("units for the records, 48 closed slices and the open one")
                .isLessThanOrEqualTo(8);
    }

    @Test
    void a_closing_slice_is_one_more_write() {
        TestAgent agent = harness.agent("busy", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.system().clock().advanceSeconds(300);
        harness.report(agent, 1, 0, 10);
        meter.reset();
        harness.measure();
        assertThat(ofOneAgent())
                .as("the closed slices, the health, the mark of the slice")
                .containsExactly("GetItem", "BatchGetItem", "Query", "PutItem", "Query", "UpdateItem", "UpdateItem");
    }

    @Test
    void the_shared_limits_are_read_once_for_all_agents_of_a_pass() {
        for (int i = 0; i < 7; i++) {
            harness.report(harness.agent("busy-" + i, ""), 12, 0, 10);
        }
        meter.reset();
        harness.measure();
        assertThat(meter.operations().stream().filter("Query"::equals)).hasSize(2 * SHARDS + 7 + 1);
    }

    /** All requests except the queries for marks. The second query reads the shared limits, once for all agents of a pass. */
    private List<String> ofOneAgent() {
        List<String> operations = meter.operations();
        int due = 2 * SHARDS;
        assertThat(operations.stream().filter(WRITES::contains).count()).isLessThanOrEqualTo(3);
        // Every shard is queried once before the agent and once after it.
        return operations.subList(due / 2, operations.size() - due / 2);
    }
}
