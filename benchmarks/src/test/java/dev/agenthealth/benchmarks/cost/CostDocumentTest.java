package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.benchmarks.cost.CostData.Budgets;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares {@code docs/cost.md} and the budgets with the code. */
@Tag(GeneratedText.TAG)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
@Tag("SYS-02")
class CostDocumentTest {

    private static final String DOCUMENT = "docs/cost.md";

    private Budgets measured;

    @BeforeAll
    void measure() {
        measured = BudgetMeasurement.now();
        if (GeneratedText.isWritten() && !differences().isEmpty()) {
            CostData.write(Samples.FOLDER, measured);
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
        Budgets written = CostData.read(Samples.FOLDER).budgets();
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

    /** 49,411 is a quarter of what a million agents cost, one by one and on demand, before there were function URLs. */
    @ParameterizedTest
    @CsvSource({"1, 1, 30, 80000", "100, 0, 30, 49411", "10, 1, 45, 49411"})
    void a_million_agents_on_provisioned_capacity_cost_less_than_the_aim(
            double perRequest, double functionUrl, double interval, double aim) {
        CostData data = CostData.read(Samples.FOLDER);
        Scenario fleet = new Scenario(
                1_000_000,
                data.assumptions().activityPerDay(),
                data.assumptions().settings());
        double cost = new CostModel(data, TemplateDeployment.environments().get("prod"))
                .bill(fleet.with(Map.of(
                        "heartbeats_per_request",
                        perRequest,
                        "function_url",
                        functionUrl,
                        "interval_seconds",
                        interval,
                        "provisioned_utilisation",
                        0.7)))
                .total();
        assertThat(cost).isLessThan(aim);
    }

    @Test
    void a_development_stack_without_agents_costs_less_than_ten_dollars_a_month() {
        Deployment development = TemplateDeployment.environments().get("dev");
        CostData data = CostData.read(Samples.FOLDER);
        Bill idle = new CostModel(data, development)
                .bill(new Scenario(0, Map.of(), data.assumptions().settings()));
        assertThat(development.sweepsPerMinute()).isEqualTo(1);
        assertThat(idle.total()).isLessThan(10);
    }

    @Test
    void the_document_is_up_to_date() {
        GeneratedText.of(DOCUMENT).check(text());
    }

    private static String text() {
        return new CostDocument(
                        CostData.read(Samples.FOLDER), TemplateDeployment.read(), TemplateDeployment.environments())
                .render(ProjectFiles.text("benchmarks/cost.template.md"));
    }
}
