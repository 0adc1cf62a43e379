package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.Resolution;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Billing mode and capacity of the tables. */
@Tag("SYS-03")
class CapacityTest {

    private final TemplateText text = new TemplateText();

    @Test
    void by_default_nothing_is_provisioned() {
        assertThat(at(text.parameters(), "PulsesWriteUnits", "Default")).isEqualTo(0L);
        text.properties("AWS::DynamoDB::Table").forEach((logicalId, table) -> {
            assertConditional(logicalId, table);
            list(table.get("GlobalSecondaryIndexes")).forEach(index -> assertConditional(logicalId, map(index)));
        });
    }

    @Test
    void an_index_is_provisioned_if_its_table_is() {
        Map<String, Object> pulses = text.properties("AWS::DynamoDB::Table").get("PulsesTable");
        assertThat(list(at(pulses, "ProvisionedThroughput", "Fn::If")).get(0)).isEqualTo("ProvisionsPulses");
        for (Object index : list(pulses.get("GlobalSecondaryIndexes"))) {
            assertThat(list(at(index, "ProvisionedThroughput", "Fn::If")).get(0))
                    .isEqualTo("ProvisionsPulses");
        }
        Map<String, Object> registry = text.properties("AWS::DynamoDB::Table").get("RegistryTable");
        assertThat(registry.get("BillingMode")).isEqualTo("PAY_PER_REQUEST");
    }

    @Test
    void the_documented_command_warms_every_index_with_its_table() {
        String section = Documents.section("docs/operations/limits.md", "## Warming tables");
        text.properties("AWS::DynamoDB::Table").forEach((logicalId, table) -> {
            String command = section.substring(section.indexOf("$(table " + logicalId + "Name) --warm-throughput"));
            String updates = command.lines().skip(1).findFirst().orElseThrow();
            Set<String> warmed = new TreeSet<>();
            Pattern.compile("Update=\\{IndexName=([a-z-]+),WarmThroughput=\\{\\$UNITS}}")
                    .matcher(updates)
                    .results()
                    .forEach(index -> warmed.add(index.group(1)));
            assertThat(warmed)
                    .as(logicalId)
                    .containsExactlyInAnyOrderElementsOf(list(table.get("GlobalSecondaryIndexes")).stream()
                            .map(index -> String.valueOf(at(index, "IndexName")))
                            .toList());
        });
    }

    @Test
    void what_is_paid_by_request_has_a_ceiling() {
        text.properties("AWS::DynamoDB::Table").forEach((logicalId, table) -> {
            Map<String, Object> ceiling = map(table, "OnDemandThroughput");
            if (ceiling.containsKey("Fn::If")) {
                List<?> choice = list(ceiling.get("Fn::If"));
                assertThat(choice.get(0)).as("a provisioned table has none").isEqualTo("ProvisionsPulses");
                ceiling = map(choice.get(2));
            }
            assertThat(ceiling.values())
                    .as(logicalId)
                    .hasSize(2)
                    .containsOnly(Map.of("Fn::If", List.of("IsLarge", 40_000L, 10_000L)));
        });
    }

    @Test
    void provisioned_units_are_scaled_automatically() {
        Set<String> scaled = new TreeSet<>();
        Map<String, Map<String, Object>> targets = text.resources("AWS::ApplicationAutoScaling::ScalableTarget");
        targets.forEach((logicalId, target) -> {
            assertThat(target).containsEntry("Condition", "ProvisionsPulses");
            scaled.add(at(target, "Properties", "ResourceId", "Fn::Sub") + " "
                    + at(target, "Properties", "ScalableDimension"));
        });
        assertThat(scaled)
                .containsExactly(
                        "table/${PulsesTable} dynamodb:table:ReadCapacityUnits",
                        "table/${PulsesTable} dynamodb:table:WriteCapacityUnits",
                        "table/${PulsesTable}/index/by-status dynamodb:index:ReadCapacityUnits",
                        "table/${PulsesTable}/index/by-status dynamodb:index:WriteCapacityUnits");
        Set<String> withPolicy = new TreeSet<>();
        text.resources("AWS::ApplicationAutoScaling::ScalingPolicy").forEach((logicalId, policy) -> {
            String target = String.valueOf(at(policy, "Properties", "ScalingTargetId", "Ref"));
            assertThat(withPolicy.add(target)).isTrue();
            String kind = String.valueOf(at(targets.get(target), "Properties", "ScalableDimension"))
                    .replaceAll(".*:(Read|Write)CapacityUnits", "$1");
            assertThat(at(
                            policy,
                            "Properties",
                            "TargetTrackingScalingPolicyConfiguration",
                            "PredefinedMetricSpecification",
                            "PredefinedMetricType"))
                    .isEqualTo("DynamoDB" + kind + "CapacityUtilization");
        });
        assertThat(withPolicy).isEqualTo(new TreeSet<>(targets.keySet()));
    }

    /** As {@code docs/cost.md} reckons: a heartbeat every 30 s, and 70 % of the units used. */
    @Test
    void the_table_of_a_million_agents_can_be_provisioned_and_scaled_as_it_is_costed() {
        double units = 1_000_000 / 30.0 / 0.7;
        assertThat(Double.parseDouble(String.valueOf(at(text.parameters(), "PulsesWriteUnits", "MaxValue"))))
                .isGreaterThan(units);
        text.properties("AWS::ApplicationAutoScaling::ScalableTarget").forEach((logicalId, target) -> {
            List<?> most = list(at(target, "MaxCapacity", "Fn::If"));
            assertThat(most.get(0)).isEqualTo("IsLarge");
            assertThat(Double.parseDouble(String.valueOf(most.get(1))))
                    .as(logicalId)
                    .isGreaterThan(units);
            assertThat(String.valueOf(most.get(2))).as("the quota of a table").isEqualTo("40000");
        });
    }

    @Test
    void the_billing_mode_does_not_change_the_tables() {
        Resolution provisioned = Resolution.local().withParameter("PulsesWriteUnits", "1000");
        assertThat(text.stack(provisioned).tables())
                .hasSize(2)
                .isEqualTo(text.stack().tables());
    }

    private static void assertConditional(String logicalId, Map<String, Object> properties) {
        if (properties.containsKey("ProvisionedThroughput")) {
            List<?> choice = list(at(properties, "ProvisionedThroughput", "Fn::If"));
            assertThat(choice).as(logicalId).hasSize(3);
            assertThat(References.in(choice.get(2))).containsExactly("AWS::NoValue");
        }
    }
}
