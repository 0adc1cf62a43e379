package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The metrics of a pass. */
class SweepReportTest {

    private static final AgentStatistics BILLING = new AgentStatistics(new Counts<>(Map.of(
            Statistic.ACTIVE, 5L,
            Statistic.DEAD, 1L,
            Statistic.VERDICT_DOWN, 1L,
            Statistic.VERDICT_BLOCKED, 1L,
            Statistic.VERDICT_DEGRADED, 3L)));

    private static List<JsonNode> lines(String... metricRoles) {
        FleetStatistics statistics = new FleetStatistics(
                BILLING,
                Map.of(
                        GroupKind.ROLE,
                        new GroupStatistics(Map.of(GroupNumber.of("billing"), BILLING), AgentStatistics.NONE)));
        FleetReading reading = new FleetReading(
                FleetCount.EMPTY, 0, PoolCount.EMPTY, statistics, OwnerCounts.EMPTY, ContainmentCandidates.NONE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new SweepReport(
                        new SweepPass.Outcome(reading, SweepDecision.ALL, ActionCounts.NONE, 0, 0),
                        List.of(metricRoles),
                        5)
                .write(new Log(
                        MutableClock.atExampleTime(), new PrintStream(out, true, StandardCharsets.UTF_8), "a-stack"));
        return out.toString(StandardCharsets.UTF_8).lines().map(Json::stored).toList();
    }

    private static Optional<JsonNode> ofRole(List<JsonNode> lines, String role) {
        return lines.stream()
                .filter(line -> line.path("Role").asText().equals(role))
                .findFirst();
    }

    @Test
    void the_roles_of_the_configuration_have_metrics_of_their_own() {
        List<JsonNode> lines = lines("billing", "search");
        JsonNode billing = ofRole(lines, "billing").orElseThrow();
        assertThat(billing.path("RoleAgents").asInt()).isEqualTo(6);
        assertThat(billing.path("RoleAgentsDown").asInt()).isEqualTo(2);
        assertThat(billing.path("RoleAgentsDegraded").asInt()).isEqualTo(3);
        assertThat(billing.at("/_aws/CloudWatchMetrics")
                        .findValues("Dimensions")
                        .toString())
                .contains("[\"Stack\",\"Role\"]");
        JsonNode search = ofRole(lines, "search").orElseThrow();
        assertThat(search.path("RoleAgentsDown").isInt()).isTrue();
        assertThat(search.path("RoleAgents").asInt()).isZero();
    }

    @Test
    void other_roles_have_none() {
        assertThat(lines().toString()).doesNotContain("RoleAgents");
    }
}
