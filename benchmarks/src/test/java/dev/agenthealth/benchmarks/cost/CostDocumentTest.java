package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.benchmarks.cost.CostData.Budgets;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares {@code docs/cost.md} and the budgets with the code; {@code -Dcost.write=true} writes both instead. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
@Tag("SYS-02")
class CostDocumentTest {

    private static final String DOCUMENT = "docs/cost.md";
    private static final String OUT_OF_DATE = "%s is out of date: run mvn verify -Dcost.write=true";

    private Budgets measured;

    @BeforeAll
    void measure() {
        measured = BudgetMeasurement.now();
        if (Boolean.getBoolean("cost.write")) {
            CostData.write(Samples.FOLDER, measured);
            ProjectFiles.write(ProjectFiles.path(DOCUMENT), text());
        }
    }

    @Test
    void the_budgets_are_those_of_the_functions() {
        Budgets written = CostData.read(Samples.FOLDER).budgets();
        assertClose(written.requestLineBytes(), measured.requestLineBytes(), tolerance(Measure.LOG_BYTES, 265), "line");
        assertThat(measured.idleMetrics())
                .as(OUT_OF_DATE, "benchmarks/budgets.json, idle_metrics")
                .isEqualTo(written.idleMetrics());
        for (String operation : written.operations().keySet()) {
            for (Measure measure : Measure.values()) {
                double then = written.of(operation).of(measure);
                double now = measured.of(operation).of(measure);
                assertClose(then, now, tolerance(measure, then), operation + " " + measure);
            }
        }
    }

    /** Texts contain times and ids of different lengths, and items are stored under random keys. */
    private static double tolerance(Measure measure, double value) {
        return switch (measure) {
            case STORED_BYTES -> 150 + 0.25 * value;
            case REQUEST_BYTES, RESPONSE_BYTES, LOG_BYTES, EVENT_BYTES -> 10 + 0.05 * value;
            default -> 0.01;
        };
    }

    private static void assertClose(double then, double now, double tolerance, String what) {
        assertThat(now).as(OUT_OF_DATE, "benchmarks/budgets.json, " + what).isEqualTo(then, within(tolerance));
    }

    @Test
    void a_heartbeat_is_one_write_unit_and_nothing_else_of_the_storage() {
        assertStorage(measured.of("heartbeat"), 1);
        assertStorage(measured.of("heartbeats_of_100"), 100);
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
        assertThat(ProjectFiles.text(DOCUMENT)).as(OUT_OF_DATE, DOCUMENT).isEqualTo(text());
    }

    private static String text() {
        return new CostDocument(
                        CostData.read(Samples.FOLDER), TemplateDeployment.read(), TemplateDeployment.environments())
                .render(ProjectFiles.text("benchmarks/cost.template.md"));
    }
}
