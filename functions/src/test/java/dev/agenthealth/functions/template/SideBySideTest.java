package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two stacks in one account and Region have no equal resource names. */
@Tag("SYS-03")
class SideBySideTest {

    /** Names within a resource that belongs to the stack. */
    private static final Set<String> WITHIN = Set.of("AWS::ApplicationAutoScaling::ScalingPolicy PolicyName");

    private final TemplateText text = new TemplateText();

    @Test
    void a_name_is_generated_by_cloud_formation_or_contains_the_stack_name() {
        text.resources().forEach((logicalId, resource) -> TemplateText.map(resource, "Properties")
                .forEach((property, value) -> {
                    if (isName(property) && !WITHIN.contains(resource.get("Type") + " " + property)) {
                        assertThat(isOfThisStack(value))
                                .as(logicalId + "." + property + ": " + value)
                                .isTrue();
                    }
                }));
    }

    @Test
    void schedules_and_routes_have_no_name() {
        text.properties("AWS::Serverless::Function")
                .forEach((logicalId, function) -> TemplateText.map(function, "Events")
                        .forEach((event, definition) -> {
                            Map<String, Object> properties = TemplateText.map(
                                    TemplateText.map(definition).get("Properties"));
                            assertThat(properties).as(logicalId + "." + event).doesNotContainKeys("Name", "RuleName");
                            if ("ScheduleV2".equals(TemplateText.at(definition, "Type"))) {
                                assertThat(properties).containsEntry("OmitName", true);
                            }
                        }));
    }

    @Test
    void the_dashboard_s_name_contains_the_region() {
        assertThat(References.in(TemplateText.at(
                        text.properties("AWS::CloudWatch::Dashboard").get("Dashboard"), "DashboardName")))
                .contains("AWS::Region");
    }

    private static boolean isName(String property) {
        return property.equals("Name")
                || property.endsWith("Name") && !property.equals("MetricName") && !property.equals("DisplayName");
    }

    /** Whether the name refers to this stack, is chosen by an operator, or contains the stack's name or id. */
    private static boolean isOfThisStack(Object value) {
        return value instanceof Map<?, ?> call
                && !References.in(call).isEmpty()
                && (call.containsKey("Ref")
                        || call.containsKey("Fn::GetAtt")
                        || References.in(call).contains("AWS::StackName")
                        || References.in(call).contains("AWS::StackId"));
    }
}
