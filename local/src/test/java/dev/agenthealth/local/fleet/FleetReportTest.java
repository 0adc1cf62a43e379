package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FleetReportTest {

    private static final FoundHealth HEALTHY = new FoundHealth("healthy", "healthy", "Healthy");

    private static FleetReport.Line fast(String reasons, FoundHealth health, int unexpectedAnswers) {
        return new FleetReport.Line("sim-fast-5", Behaviour.FAST, reasons, health, unexpectedAnswers);
    }

    private static FleetReport report(FleetReport.Line... lines) {
        FleetReport report = new FleetReport();
        for (FleetReport.Line line : lines) {
            report.add(line);
        }
        return report;
    }

    @Test
    void an_agent_that_matches_its_behaviour_is_no_mismatch() {
        FleetReport report = report(fast("<registered>", HEALTHY, 0));
        assertThat(report.mismatches()).isEmpty();
        assertThat(report.text().lines().toList().get(1).split(" +"))
                .containsExactly("fast", "1", "1", "healthy", "healthy", "Healthy", "Healthy");
    }

    static Stream<FleetReport.Line> mismatches() {
        return Stream.of(
                fast("<registered><heartbeat_timeout>", HEALTHY, 0),
                fast("<registered>", new FoundHealth("degraded", "healthy", "Healthy"), 0),
                fast("<registered>", new FoundHealth("healthy", "degraded", "Healthy"), 0),
                fast("<registered>", new FoundHealth("healthy", "healthy", "Degraded"), 0),
                fast("<registered>", HEALTHY, 1));
    }

    @ParameterizedTest
    @MethodSource("mismatches")
    void any_difference_is_a_mismatch(FleetReport.Line line) {
        assertThat(report(line).mismatches()).singleElement().asString().startsWith("sim-fast-5: ");
    }

    @Test
    void what_was_found_of_several_agents_is_counted() {
        FleetReport report = report(
                fast("<registered>", HEALTHY, 0),
                fast("<registered>", HEALTHY, 0),
                fast("<registered>", new FoundHealth("unknown", "unknown", "Inactive"), 0));
        assertThat(report.text()).contains("2 healthy, 1 unknown", "2 Healthy, 1 Inactive");
        assertThat(report.mismatches()).hasSize(1);
    }

    @Test
    void the_public_document_may_show_less_than_a_document_with_a_key() {
        FleetReport report = report(new FleetReport.Line(
                "sim-personal-13",
                Behaviour.PERSONAL,
                "<registered>",
                new FoundHealth("healthy", "degraded", "Degraded"),
                0));
        assertThat(report.mismatches()).isEmpty();
    }
}
