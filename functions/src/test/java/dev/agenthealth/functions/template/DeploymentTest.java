package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Route;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Traffic shifting to a new version, and the alarms that stop it. */
@Tag("SYS-01")
@Tag("SYS-03")
class DeploymentTest {

    /**
     * Properties of a function in the template that are not part of a published Lambda version. A version goes on with the key that it was
     * published with.
     */
    private static final Set<String> NOT_PUBLISHED =
            Set.of("Events", "KmsKeyArn", "DeploymentPreference", "VersionDescription", "EventInvokeConfig");

    private static final int MAX_DESCRIPTION = 256;

    /** What the rules of the template allow together; the values that a function can have in its environment differ in two of them. */
    private static final List<Map<String, String>> DEPLOYMENTS = List.of(
            Map.of(),
            Map.of("AdminKeySha256", "1".repeat(64)),
            Map.of("FleetSize", "large"),
            Map.of("CardSigning", "true"),
            Map.of("HeartbeatStretchPercent", "150"),
            Map.of("HeartbeatFunctionUrl", "true"),
            Map.of("DomainName", "a.example.com", "CertificateArn", "certificate"),
            Map.of("DomainName", "b.example.com", "CertificateArn", "certificate"),
            Map.of("DomainName", "a.example.com", "CertificateArn", "certificate", "DefaultEndpoint", "disabled"),
            Map.of("DomainName", "a.example.com", "OriginSecretSha256", "1".repeat(64)),
            Map.of("DomainName", "a.example.com", "OriginSecretSha256", "2".repeat(64)),
            Map.of("DomainName", "b.example.com", "OriginSecretSha256", "2".repeat(64)));

    /** Those whose callers wait for the answer; administrators wait as well, but seldom. */
    private static final Set<String> AWAITED =
            Set.of("RegistryFunction", "HeartbeatFunction", "HealthFunction", "GatewayFunction");

    private static final Duration SNAPSHOTS_AND_UPDATES = Duration.ofMinutes(4);

    private final TemplateText text = new TemplateText();
    private final Map<String, Map<String, Object>> functions = text.properties("AWS::Serverless::Function");
    private final Stack stack = text.stack();

    @Test
    void functions_that_callers_wait_for_take_over_gradually_and_the_others_at_once() {
        assertThat(at(text.functionGlobals(), "DeploymentPreference", "Enabled"))
                .isEqualTo(false);
        assertThat(at(text.functionGlobals(), "DeploymentPreference", "Type", "Ref"))
                .isEqualTo("DeploymentType");
        assertThat(References.in(at(text.functionGlobals(), "DeploymentPreference", "Role")))
                .as("SAM's own role for deployments takes no permissions boundary")
                .containsExactly("DeploymentRole.Arn");
        assertThat(at(text.functionGlobals(), "SnapStart", "ApplyOn")).isEqualTo("None");
        functions.forEach((logicalId, function) -> {
            boolean awaited = AWAITED.contains(logicalId);
            assertThat(at(function, "SnapStart", "ApplyOn"))
                    .as(logicalId + ": a slow start matters to a caller only")
                    .isEqualTo(awaited ? "PublishedVersions" : "");
            assertThat(at(function, "DeploymentPreference", "Enabled"))
                    .as(logicalId + ": a canary that nothing calls finds no fault and takes time")
                    .isEqualTo(awaited ? true : "");
        });
    }

    @Test
    void a_version_with_a_snapshot_is_called_at_least_daily() {
        Set<String> called = new TreeSet<>();
        for (FunctionDefinition function : stack.functions()) {
            if (function.snapStart()
                    && function.schedules().stream()
                            .anyMatch(schedule -> schedule.period().compareTo(Duration.ofDays(1)) <= 0)) {
                called.add(function.logicalId());
            }
        }
        // The self-check of the sweep sends heartbeats every minute.
        called.add("HeartbeatFunction");
        assertThat(called)
                .as("Lambda refuses the first call after 14 days without one")
                .isEqualTo(new TreeSet<>(AWAITED));
    }

    @Test
    void the_daily_request_is_answered() {
        try (DeployedSystem system = new DeployedSystem()) {
            Map<String, Integer> statuses = new TreeMap<>();
            for (FunctionDefinition function : system.functions()) {
                if (function.snapStart() && !function.schedules().isEmpty()) {
                    String request = function.schedules().get(0).input();
                    assertThat(function.routes())
                            .extracting(Route::routeKey)
                            .contains(Json.stored(request).path("routeKey").asText());
                    statuses.put(
                            function.logicalId(),
                            Json.stored(system.invoke(function.logicalId(), request))
                                    .path("statusCode")
                                    .asInt());
                }
            }
            assertThat(statuses)
                    .as("receipts need a key")
                    .isEqualTo(Map.of("GatewayFunction", 401, "HealthFunction", 200, "RegistryFunction", 200));
        }
    }

    @Test
    void an_upgrade_of_all_code_takes_less_than_ten_minutes() {
        Object type = at(text.parameters(), "DeploymentType", "Default");
        Matcher canary = Pattern.compile("Canary10Percent(\\d+)Minutes").matcher(String.valueOf(type));
        assertThat(canary.matches()).as("%s", type).isTrue();
        // All aliases move at the same time. A snapshot takes a minute or two, the update of the functions another one.
        assertThat(Duration.ofMinutes(Long.parseLong(canary.group(1))).plus(SNAPSHOTS_AND_UPDATES))
                .isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void a_replaced_version_stays_where_it_may_still_be_called() {
        for (FunctionDefinition function : stack.functions()) {
            boolean polls = !function.queues().isEmpty() || !function.streams().isEmpty();
            assertThat(at(text.resources().get(function.logicalId()), "UpdateReplacePolicy"))
                    .as(function.logicalId() + ": a mapping would stay as well")
                    .isEqualTo(polls ? "" : "Retain");
            assertThat(text.resources().get(function.logicalId()))
                    .as("the function itself goes with its stack")
                    .doesNotContainKey("DeletionPolicy");
        }
    }

    @Test
    void every_gradual_deployment_has_its_own_alarm_that_stops_it() {
        Set<String> alarms = new HashSet<>();
        for (String logicalId : AWAITED) {
            Map<String, Object> function = functions.get(logicalId);
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
                    .isSubsetOf(logicalId, logicalId + ".Version.Version", "AWS::StackName")
                    .contains(logicalId, logicalId + ".Version.Version");
            assertThat(properties.toString()).contains("Errors", "AWS/Lambda");
            Set<String> dimensions = new TreeSet<>();
            for (Object metric : list(properties.get("Metrics"))) {
                list(at(metric, "MetricStat", "Metric", "Dimensions"))
                        .forEach(dimension -> dimensions.add(String.valueOf(at(dimension, "Name"))));
                if (at(metric, "MetricStat", "Metric", "MetricName").equals(Metric.VERSION_SERVER_ERRORS.wireName())) {
                    assertThat(String.valueOf(metric))
                            .as("the dimension has the class name of the function, as the function reports it")
                            .contains(logicalId + ":${Version}");
                }
            }
            assertThat(dimensions)
                    .as("every metric is of the new version alone")
                    .containsExactlyInAnyOrder("ExecutedVersion", "FunctionName", "Resource", "Stack", "Version");
        }
    }

    @Test
    void a_changed_parameter_creates_a_version() {
        Set<String> ofAll = parametersIn(published(text.functionGlobals()));
        functions.forEach((logicalId, function) -> {
            assertThat(function).as(logicalId).containsEntry("AutoPublishAliasAllProperties", true);
            Set<String> configured = new HashSet<>(ofAll);
            configured.addAll(parametersIn(published(function)));
            assertThat(parametersIn(function.get("VersionDescription")))
                    .as(
                            "what is not described does not reach the alias, and what does not change the function cannot be published: "
                                    + logicalId)
                    .isEqualTo(configured);
        });
    }

    /** Lambda publishes no version of an unchanged function, and CloudFormation then fails at the changed description. */
    @Test
    void a_version_has_another_description_exactly_where_its_environment_is_another() throws IOException {
        // A name is resolved as a description would be.
        Template named = Template.parse(
                Files.readString(Path.of("../template.yaml")).replace(" VersionDescription:", " FunctionName:"),
                "named",
                ProjectFiles::text);
        Map<String, Set<List<?>>> versions = new TreeMap<>();
        for (Map<String, String> deployment : DEPLOYMENTS) {
            Resolution resolution = Resolution.local()
                    .withParameter("AdminKeySha256", "0".repeat(64))
                    .withAttribute("HttpApi", "ApiEndpoint", "https://api")
                    .withAttribute("HeartbeatUrl", "FunctionUrl", "https://url/");
            for (Map.Entry<String, String> parameter : deployment.entrySet()) {
                resolution = resolution.withParameter(parameter.getKey(), parameter.getValue());
            }
            named.stack(resolution).functions().forEach(function -> versions.computeIfAbsent(
                            function.logicalId(), id -> new HashSet<>())
                    .add(List.of(function.name(), function.environment())));
        }
        assertThat(versions).containsOnlyKeys(functions.keySet());
        versions.forEach((logicalId, ofFunction) -> {
            for (int part = 0; part < 2; part++) {
                int compared = part;
                assertThat(ofFunction.stream().map(version -> version.get(compared)))
                        .as(logicalId)
                        .doesNotHaveDuplicates();
            }
        });
    }

    @Test
    void descriptions_of_versions_are_short_enough_for_the_longest_values() {
        functions.forEach((logicalId, function) -> {
            Object described = function.get("VersionDescription");
            List<?> choice = list(at(described, "Fn::If"));
            for (Object form : choice.isEmpty() ? List.of(described) : choice.subList(1, 3)) {
                String description = String.valueOf(at(form, "Fn::Sub"));
                for (String parameter : References.inText(description)) {
                    description =
                            description.replace("${" + parameter + "}", longest(map(text.parameters(), parameter)));
                }
                assertThat(description.length()).as(logicalId).isBetween(1, MAX_DESCRIPTION);
            }
        });
    }

    /** The longest value of a parameter; a hash has 64 characters. */
    private static String longest(Map<String, Object> parameter) {
        if (parameter.containsKey("AllowedValues")) {
            return list(parameter.get("AllowedValues")).stream()
                    .map(String::valueOf)
                    .max(Comparator.comparing(String::length))
                    .orElseThrow();
        }
        return parameter.containsKey("MaxValue")
                ? String.valueOf(parameter.get("MaxValue"))
                : "0".repeat(Integer.parseInt(String.valueOf(parameter.getOrDefault("MaxLength", 64))));
    }

    @Test
    void an_earlier_build_cannot_be_deployed() {
        text.resources("AWS::Serverless::Function")
                .forEach((logicalId, function) -> assertThat(at(function, "Metadata", "SkipBuild"))
                        .as(logicalId)
                        .isEqualTo(true));
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
                .containsExactlyInAnyOrder(
                        "HeartbeatFunction",
                        "SweepFunction",
                        "MeasurementFunction",
                        "NotificationFunction",
                        "ProbeFunction",
                        "SourceFunction");
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
