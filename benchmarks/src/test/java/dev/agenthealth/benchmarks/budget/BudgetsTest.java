package dev.agenthealth.benchmarks.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.GeneratedText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Compares the budgets, from which {@code docs/cost.md} is calculated, with what the functions consume. */
@Tag(GeneratedText.TAG)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
@Tag("SYS-02")
class BudgetsTest {

    private Budgets measured;

    @BeforeAll
    void measure() {
        measured = BudgetMeasurement.now();
        if (GeneratedText.isWritten() && !differences().isEmpty()) {
            measured.write();
        }
    }

    @Test
    void the_budgets_are_those_of_the_functions() {
        assertThat(differences())
                .as("benchmarks/budgets.json is out of date: run " + GeneratedText.COMMAND)
                .isEmpty();
    }

    /** Returns the names of the budgets that are not as measured. */
    private List<String> differences() {
        Budgets written = Budgets.read();
        List<String> differences = new ArrayList<>();
        if (!isClose(written.requestLineBytes(), measured.requestLineBytes(), tolerance(Measure.LOG_BYTES, 265))) {
            differences.add("request line");
        }
        if (measured.idleMetrics() != written.idleMetrics()) {
            differences.add("idle metrics");
        }
        if (!measured.operations().keySet().equals(written.operations().keySet())) {
            differences.add("operations");
            return differences;
        }
        for (String operation : written.operations().keySet()) {
            for (Measure measure : Measure.values()) {
                double then = written.of(operation).of(measure);
                double now = measured.of(operation).of(measure);
                if (!isClose(then, now, tolerance(measure, then))) {
                    differences.add(operation + " " + measure + ": " + then + " is now " + now);
                }
            }
        }
        return differences;
    }

    private static boolean isClose(double then, double now, double tolerance) {
        return Math.abs(then - now) <= tolerance;
    }

    /** Texts contain times and ids of different lengths, and items are stored under random keys. */
    private static double tolerance(Measure measure, double value) {
        return switch (measure) {
            case STORED_BYTES -> 150 + 0.25 * value;
            case REQUEST_BYTES, RESPONSE_BYTES, LOG_BYTES, EVENT_BYTES -> 10 + 0.05 * value;
            default -> 0.01;
        };
    }

    @Test
    void a_heartbeat_is_one_write_unit_and_nothing_else_of_the_storage() {
        assertStorage(measured.of("heartbeat"), 1);
        assertStorage(measured.of("heartbeats_of_100"), 100);
    }

    @Test
    void a_probe_that_succeeds_is_one_write_unit_as_a_heartbeat_is() {
        assertThat(measured.of("probe").of(Measure.PULSES_WRITE_UNITS)).isEqualTo(1);
        // A run of the probes keeps what its agents show together.
        assertThat(measured.of("probe").of(Measure.REGISTRY_WRITE_UNITS)).isLessThan(0.1);
        assertThat(measured.of("probe_state").of(Measure.REGISTRY_WRITE_UNITS)).isEqualTo(1);
    }

    private static void assertStorage(Budget budget, double writeUnits) {
        assertThat(budget.of(Measure.PULSES_WRITE_UNITS)).isEqualTo(writeUnits);
        assertThat(budget.of(Measure.PULSES_READ_UNITS)
                        + budget.of(Measure.REGISTRY_READ_UNITS)
                        + budget.of(Measure.REGISTRY_WRITE_UNITS))
                .isZero();
    }

    /** Each metric of a stack without agents is billed by the month. */
    @Test
    void a_stack_without_agents_reports_at_most_ten_metrics() {
        assertThat(measured.idleMetrics()).isLessThanOrEqualTo(10);
    }

    @Test
    void scheduled_runs_without_work_write_at_most_eight_units_a_minute() {
        double units = Stream.of("sweep_pass", "measurement_run", "notification_run", "source_run", "probe_run")
                .map(measured::of)
                .mapToDouble(budget -> budget.of(Measure.PULSES_WRITE_UNITS) + budget.of(Measure.REGISTRY_WRITE_UNITS))
                .sum();
        assertThat(units).isLessThanOrEqualTo(8);
    }
}
