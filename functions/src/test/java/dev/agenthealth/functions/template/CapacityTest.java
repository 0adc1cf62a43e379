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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Billing mode and initial capacity of the tables. */
@Tag("SYS-03")
class CapacityTest {

    private final TemplateText text = new TemplateText();

    @Test
    void by_default_nothing_is_provisioned_or_warmed() {
        assertThat(at(text.parameters(), "PulsesWriteUnits", "Default")).isEqualTo(0L);
        assertThat(at(text.parameters(), "WarmWrites", "Default")).isEqualTo("0");
        text.properties("AWS::DynamoDB::Table").forEach((logicalId, table) -> {
            assertConditional(logicalId, table);
            list(table.get("GlobalSecondaryIndexes")).forEach(index -> assertConditional(logicalId, map(index)));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "0, true",
        "4000, true",
        "4100, true",
        "10000, true",
        "3999, false",
        "400, false",
        "00, false",
        "4e3, false"
    })
    void fewer_writes_than_aws_gives_anyway_are_refused(String writes, boolean accepted) {
        assertThat(writes.matches(String.valueOf(at(text.parameters(), "WarmWrites", "AllowedPattern"))))
                .isEqualTo(accepted);
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
    void every_index_is_warmed_for_as_many_writes_as_its_table() {
        text.properties("AWS::DynamoDB::Table").forEach((logicalId, table) -> {
            for (Object index : list(table.get("GlobalSecondaryIndexes"))) {
                List<?> choice = list(at(index, "WarmThroughput", "Fn::If"));
                assertThat(choice.get(0)).as(logicalId).isEqualTo("WarmsTables");
                assertThat(at(choice.get(1), "WriteUnitsPerSecond"))
                        .as(logicalId + "." + at(index, "IndexName"))
                        .isEqualTo(
                                at(list(at(table, "WarmThroughput", "Fn::If")).get(1), "WriteUnitsPerSecond"));
            }
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
        Resolution provisioned =
                Resolution.local().withParameter("PulsesWriteUnits", "1000").withParameter("WarmWrites", "10000");
        assertThat(text.stack(provisioned).tables())
                .hasSize(2)
                .isEqualTo(text.stack().tables());
    }

    private static void assertConditional(String logicalId, Map<String, Object> properties) {
        for (String property : List.of("ProvisionedThroughput", "WarmThroughput")) {
            if (properties.containsKey(property)) {
                List<?> choice = list(at(properties, property, "Fn::If"));
                assertThat(choice).as(logicalId + "." + property).hasSize(3);
                assertThat(References.in(choice.get(2))).containsExactly("AWS::NoValue");
            }
        }
    }
}
