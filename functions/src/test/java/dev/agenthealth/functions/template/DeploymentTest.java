package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Stack;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Traffic shifting to a new version, and the alarms that stop it. */
@Tag("SYS-01")
@Tag("SYS-03")
class DeploymentTest {

    /** Properties of a function in the template that are not part of a published Lambda version. */
    private static final Set<String> NOT_PUBLISHED =
            Set.of("Events", "Policies", "DeploymentPreference", "VersionDescription", "EventInvokeConfig");

    private static final int MAX_DESCRIPTION = 256;

    private final TemplateText text = new TemplateText();
    private final Map<String, Map<String, Object>> functions = text.properties("AWS::Serverless::Function");
    private final Stack stack = text.stack();

    @Test
    void every_function_has_its_own_alarm_that_stops_its_deployment() {
        Set<String> alarms = new HashSet<>();
        functions.forEach((logicalId, function) -> {
            List<?> choice = list(at(function, "DeploymentPreference", "Alarms", "Fn::If"));
            assertThat(choice).as(logicalId).hasSize(3);
            assertThat(choice.get(0)).isEqualTo("DeploysGradually");
            assertThat(References.in(choice.get(2)))
                    .as("failures of the old version must not stop the deployment of a repair")
                    .containsExactly("AWS::NoValue");
            String alarm = References.in(choice.get(1)).iterator().next();
            assertThat(alarms.add(alarm)).as(logicalId).isTrue();
            Map<String, Object> properties =
                    text.properties("AWS::CloudWatch::Alarm").get(alarm);
            assertThat(References.in(properties))
                    .as(alarm + " looks at " + logicalId + ", and waits for no alias, which waits for the alarm")
                    .isSubsetOf(logicalId, "AWS::StackName")
                    .contains(logicalId);
        });
    }

    @Test
    void server_errors_of_a_function_count_in_addition_to_lambda_errors() {
        for (FunctionDefinition function : stack.functions()) {
            String alarm = References.in(
                            list(at(functions.get(function.logicalId()), "DeploymentPreference", "Alarms", "Fn::If"))
                                    .get(1))
                    .iterator()
                    .next();
            Map<String, Object> properties =
                    text.properties("AWS::CloudWatch::Alarm").get(alarm);
            assertThat(properties.toString()).contains("Errors", "AWS/Lambda");
            if (function.routes().isEmpty()) {
                assertThat(properties).containsEntry("MetricName", "Errors");
            } else {
                Map<String, Object> answers = list(properties.get("Metrics")).stream()
                        .map(TemplateText::map)
                        .filter(metric ->
                                at(metric, "MetricStat", "Metric", "MetricName").equals(Metric.SERVER_ERRORS.word()))
                        .findFirst()
                        .orElseThrow();
                assertThat(list(at(answers, "MetricStat", "Metric", "Dimensions")))
                        .as("metrics have the class names of the functions")
                        .anySatisfy(dimension -> assertThat(dimension)
                                .isEqualTo(Map.of("Name", "Function", "Value", function.logicalId())));
            }
        }
    }

    @Test
    void functions_called_once_a_minute_shift_traffic_in_steps() {
        for (FunctionDefinition function : stack.functions()) {
            boolean seldom = function.routes().isEmpty()
                    && function.streams().isEmpty()
                    && function.queues().isEmpty();
            Map<String, Object> preference = map(functions.get(function.logicalId()), "DeploymentPreference");
            if (seldom) {
                assertThat(at(preference, "Type", "Fn::If"))
                        .as(function.logicalId() + ": a canary of five minutes may never be called")
                        .isEqualTo(List.of("DeploysGradually", "Linear10PercentEvery1Minute", "AllAtOnce"));
            } else {
                assertThat(preference).as(function.logicalId()).doesNotContainKey("Type");
            }
        }
        assertThat(at(text.functionGlobals(), "DeploymentPreference", "Type", "Ref"))
                .isEqualTo("DeploymentType");
    }

    @Test
    void a_changed_parameter_creates_a_version() {
        assertThat(text.functionGlobals()).containsEntry("AutoPublishAliasAllProperties", true);
        Set<String> ofAll = parametersIn(published(text.functionGlobals()));
        functions.forEach((logicalId, function) -> {
            Set<String> configured = new HashSet<>(ofAll);
            configured.addAll(parametersIn(published(function)));
            assertThat(parametersIn(function.get("VersionDescription")))
                    .as(
                            "what is not described does not reach the alias, and what does not change the function cannot be published: "
                                    + logicalId)
                    .isEqualTo(configured);
        });
    }

    @Test
    void descriptions_of_versions_are_short_enough_for_the_longest_values() {
        functions.forEach((logicalId, function) -> {
            String description = String.valueOf(at(function, "VersionDescription", "Fn::Sub"));
            for (String parameter : References.inText(description)) {
                Object most = at(text.parameters(), parameter, "MaxValue");
                description = description.replace(
                        "${" + parameter + "}", most.equals("") ? "0".repeat(64) : String.valueOf(most));
            }
            assertThat(description.length()).as(logicalId).isLessThanOrEqualTo(MAX_DESCRIPTION);
        });
    }

    @Test
    void an_earlier_build_cannot_be_deployed() {
        text.resources("AWS::Serverless::Function")
                .forEach((logicalId, function) -> assertThat(at(function, "Metadata", "SkipBuild"))
                        .as(logicalId)
                        .isEqualTo(true));
    }

    @Test
    void a_new_account_s_concurrency_of_ten_is_enough() {
        assertThat(text.functionGlobals()).doesNotContainKeys("ReservedConcurrentExecutions");
        functions.forEach((logicalId, function) -> assertThat(function)
                .as(logicalId)
                .doesNotContainKeys("ReservedConcurrentExecutions", "ProvisionedConcurrencyConfig"));
        assertThat(stack.functions())
                .flatExtracting(FunctionDefinition::queues)
                .allSatisfy(queue -> assertThat(queue.maximumConcurrency()).isBetween(2, 5));
    }

    @Test
    void functions_of_requests_and_messages_are_traced_except_heartbeats() {
        assertThat(text.functionGlobals()).containsEntry("Tracing", "Active");
        Set<String> untraced = functions.entrySet().stream()
                .filter(function -> function.getValue().containsKey("Tracing"))
                .peek(function -> assertThat(function.getValue()).containsEntry("Tracing", "Disabled"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        assertThat(untraced)
                .as("every run of a schedule would be recorded")
                .containsExactlyInAnyOrder("HeartbeatFunction", "SweepFunction", "MeasurementFunction");
    }

    private static Map<String, Object> published(Map<String, Object> function) {
        Map<String, Object> published = new LinkedHashMap<>(function);
        published.keySet().removeAll(NOT_PUBLISHED);
        return published;
    }

    /** The parameters that a value refers to, directly or by a condition. */
    private Set<String> parametersIn(Object value) {
        Set<String> parameters = new TreeSet<>(References.in(value));
        References.conditionsIn(value)
                .forEach(condition -> parameters.addAll(References.in(text.condition(condition))));
        parameters.retainAll(text.parameters().keySet());
        return parameters;
    }
}
