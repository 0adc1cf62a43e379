package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueMapping;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import dev.agenthealth.template.Stack;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Properties of the template that only AWS reads and no other test would miss. */
@Tag("SYS-03")
class TemplatePropertiesTest {

    private static final int MAX_PARAMETERS = 24;

    private final TemplateText text = new TemplateText();
    private final Stack stack = text.stack();

    @Test
    @Tag("SYS-01")
    void all_functions_run_on_the_same_platform() {
        Map<String, Object> globals = text.functionGlobals();
        assertThat(globals.get("Runtime")).isEqualTo("java25");
        assertThat(globals.get("Architectures")).isEqualTo(List.of("arm64"));
        assertThat(globals.get("AutoPublishAlias"))
                .as("a snapshot is used by published versions only")
                .isEqualTo("live");
        assertThat(at(globals, "LoggingConfig", "LogFormat")).isEqualTo("JSON");
        assertThat(globals.get("CodeUri")).isEqualTo("functions/target/agent-health-functions-lambda.jar");
        text.properties("AWS::Serverless::Function").forEach((logicalId, properties) -> {
            assertThat(properties).as(logicalId).doesNotContainKeys("Runtime", "Architectures", "AutoPublishAlias");
            assertThat(properties.get("CodeUri"))
                    .as("only heartbeats have their own package: " + logicalId)
                    .isEqualTo(
                            logicalId.equals("HeartbeatFunction")
                                    ? "functions/target/agent-health-functions-heartbeat.jar"
                                    : null);
        });
    }

    @Test
    void every_function_has_its_own_log_group_with_a_retention_time() {
        Map<String, Map<String, Object>> groups = text.properties("AWS::Logs::LogGroup");
        Set<Object> used = new HashSet<>();
        text.properties("AWS::Serverless::Function").forEach((logicalId, properties) -> {
            Object group = at(properties, "LoggingConfig", "LogGroup", "Ref");
            assertThat(groups).as(logicalId).containsKey(String.valueOf(group));
            assertThat(used.add(group)).as(logicalId).isTrue();
        });
        groups.forEach(
                (logicalId, properties) -> assertThat(properties).as(logicalId).containsKey("RetentionInDays"));
    }

    @Test
    void tables_survive_deletion_of_the_stack_and_can_be_restored() {
        Map<String, Map<String, Object>> tables = text.resources("AWS::DynamoDB::Table");
        assertThat(tables).hasSize(2);
        tables.forEach((logicalId, table) -> {
            assertThat(table.get("DeletionPolicy")).as(logicalId).isEqualTo("Retain");
            assertThat(table.get("UpdateReplacePolicy")).as(logicalId).isEqualTo("Retain");
            Map<String, Object> properties = map(table, "Properties");
            assertThat(properties.get("DeletionProtectionEnabled"))
                    .as(logicalId)
                    .isEqualTo(true);
            assertThat(at(properties, "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"))
                    .as(logicalId)
                    .isEqualTo(true);
            assertThat(properties)
                    .as("an explicit name would prevent the replacement of the table")
                    .doesNotContainKey("TableName");
        });
    }

    @Test
    void every_parameter_has_bounds_and_a_default_within_them() {
        text.parameters().forEach((name, declared) -> {
            Map<String, Object> parameter = map(declared);
            Object value = parameter.get("Default");
            if (parameter.containsKey("AllowedValues")) {
                assertThat(list(parameter.get("AllowedValues")).contains(value))
                        .as(name)
                        .isTrue();
            } else if (parameter.get("Type").equals("Number")) {
                assertThat((Long) value).as(name).isBetween((Long) parameter.get("MinValue"), (Long)
                        parameter.get("MaxValue"));
            } else if (name.equals("AdminKeySha256")) {
                assertThat(value).as("nobody has a key that is not chosen").isNull();
            } else {
                assertThat(String.valueOf(value))
                        .as(name)
                        .matches(parameter.get("AllowedPattern").toString());
            }
        });
    }

    /** The linter finds new types of them that say nothing. */
    @Test
    void everything_that_stores_something_says_what_a_replacement_and_a_deletion_keep() {
        Map<String, List<String>> kept = Map.of(
                "AWS::DynamoDB::Table", List.of("Retain", "Retain"),
                "AWS::KMS::Key", List.of("Retain", "RetainExceptOnCreate"),
                "AWS::SQS::Queue", List.of("Delete", "Delete"),
                "AWS::Logs::LogGroup", List.of("Delete", "Delete"),
                "AWS::Events::Archive", List.of("Retain", "Delete"));
        kept.forEach((type, policies) -> {
            assertThat(text.resources(type)).as(type).isNotEmpty();
            text.resources(type).forEach((logicalId, resource) -> assertThat(
                            List.of(resource.get("UpdateReplacePolicy"), resource.get("DeletionPolicy")))
                    .as(logicalId)
                    .isEqualTo(policies));
        });
    }

    @Test
    void undelivered_messages_are_kept() {
        Map<String, Map<String, Object>> queues = text.properties("AWS::SQS::Queue");
        Map<String, Map<String, Object>> functions = text.properties("AWS::Serverless::Function");
        Object undelivered = at(
                functions.get("PublisherFunction"),
                "Events",
                "Outbox",
                "Properties",
                "DestinationConfig",
                "OnFailure",
                "Destination",
                "Fn::GetAtt");
        Object unsuccessful = at(queues.get("InvocationQueue"), "RedrivePolicy", "deadLetterTargetArn", "Fn::GetAtt");
        for (Object attribute : List.of(undelivered, unsuccessful)) {
            assertThat(list(attribute)).hasSize(2);
            String queue = String.valueOf(list(attribute).get(0));
            assertThat(queues).containsKey(queue);
            assertThat(queues.get(queue)).containsEntry("MessageRetentionPeriod", 1_209_600L);
        }
    }

    @Test
    void a_missed_run_of_a_schedule_is_not_repeated_and_leaves_no_message() {
        for (String logicalId : List.of("SweepFunction", "MeasurementFunction")) {
            Map<String, Object> function =
                    text.properties("AWS::Serverless::Function").get(logicalId);
            Map<String, Object> once = Map.of("MaximumRetryAttempts", 0L, "MaximumEventAgeInSeconds", 60L);
            assertThat(function.get("EventInvokeConfig")).as(logicalId).isEqualTo(once);
            assertThat(at(function, "Events", "Tick", "Properties", "RetryPolicy"))
                    .as(logicalId)
                    .isEqualTo(once);
            assertThat(function).doesNotContainKey("DeadLetterQueue");
            assertThat(map(at(function, "Events", "Tick", "Properties"))).doesNotContainKey("DeadLetterConfig");
        }
    }

    @Test
    void one_bad_stream_record_does_not_block_the_others_forever() {
        assertThat(stack.functions())
                .flatExtracting(FunctionDefinition::streams)
                .singleElement()
                .satisfies(mapping -> {
                    assertThat(mapping.tableName()).isEqualTo("RegistryTable");
                    assertThat(mapping.startingPosition()).isEqualTo("TRIM_HORIZON");
                    assertThat(mapping.reportsBatchItemFailures()).isTrue();
                    assertThat(mapping.retries().bisectsOnError()).isTrue();
                    assertThat(mapping.retries().maximumAttempts()).isBetween(1, 1_000);
                    assertThat(mapping.retries().maximumRecordAge().toHours()).isBetween(1L, 23L);
                    assertThat(mapping.retries().onFailureDestination()).endsWith(":PublisherDeadLetters");
                });
    }

    @Test
    @Tag("SN-07")
    void a_message_is_attempted_three_times_and_kept_no_longer_than_its_receipt() {
        assertThat(text.properties("AWS::SQS::Queue")).allSatisfy((logicalId, properties) -> assertThat(properties)
                .as("an explicit name would prevent the replacement of the queue")
                .doesNotContainKey("QueueName"));
        assertThat(stack.queues())
                .filteredOn(queue -> queue.logicalId().equals("InvocationQueue"))
                .singleElement()
                .satisfies(queue -> {
                    assertThat(queue.maximumReceives()).isEqualTo(3);
                    assertThat(queue.deadLetterArn()).endsWith(":InvocationDeadLetters");
                    assertThat(queue.retention()).isEqualTo(Duration.ofDays(1));
                });
    }

    @Test
    @Tag("SN-07")
    void the_visibility_timeout_of_a_queue_covers_its_function() {
        for (FunctionDefinition function : stack.functions()) {
            for (QueueMapping mapping : function.queues()) {
                assertThat(stack.queues())
                        .filteredOn(queue -> queue.arn().equals(mapping.queueArn()))
                        .singleElement()
                        .satisfies(queue -> assertThat(queue.visibilityTimeout())
                                .as(function.logicalId())
                                .isGreaterThanOrEqualTo(function.timeout().multipliedBy(6)));
                assertThat(mapping.reportsBatchItemFailures()).isTrue();
            }
        }
    }

    @Test
    @Tag("SYS-05")
    void a_rule_s_log_group_has_the_arn_form_that_event_bridge_requires() {
        assertThat(stack.rules())
                .flatExtracting(RuleDefinition::targets)
                .as("an account has 10 log policies in a Region, so that rules with a log group are an option")
                .noneMatch(target -> target.service().equals("logs"));
        assertThat(text.stack(Resolution.local().withParameter("EventTools", "true"))
                        .rules())
                .flatExtracting(RuleDefinition::targets)
                .extracting(RuleTarget::arn)
                .isNotEmpty()
                .allSatisfy(arn -> assertThat(arn)
                        .as("a rule with the other form deploys but delivers no events")
                        .doesNotEndWith(":*"));
    }

    @Test
    @Tag("SYS-02")
    void what_the_runtime_configuration_holds_is_no_parameter_and_no_variable() {
        assertThat(text.parameters())
                .as("parameters that an operator decides, when the system is deployed")
                .hasSizeLessThanOrEqualTo(MAX_PARAMETERS);
        Set<String> configured = Set.of("PASSES", "FAN_OUT", "MASS_SILENCE", "BURST", "PER_SECOND", "WINDOW");
        for (FunctionDefinition function : stack.functions()) {
            assertThat(function.environment().keySet())
                    .as(function.logicalId())
                    .noneMatch(variable -> configured.stream().anyMatch(variable::contains));
        }
    }

    /** CloudFormation passes a parameter as a text where the type of a property is not declared, as in these maps by route. */
    @Test
    @Tag("SYS-03")
    void limits_of_routes_are_numbers_and_no_parameters() {
        Map<String, Object> api = text.properties("AWS::Serverless::HttpApi").get("HttpApi");
        Map<String, Object> settings = map(api, "RouteSettings");
        settings.put("default", api.get("DefaultRouteSettings"));
        assertThat(References.in(settings)).isEmpty();
        settings.forEach((route, limits) -> map(limits).forEach((name, limit) -> {
            List<?> bySize = list(at(limit, "Fn::If"));
            assertThat(bySize).as(route).hasSize(3).first().isEqualTo("IsLarge");
            assertThat((Long) bySize.get(1)).as(route + " " + name).isGreaterThan((Long) bySize.get(2));
        }));
        assertThat(api).as("what API Gateway warns of is not documented").doesNotContainKey("FailOnWarnings");
    }

    @Test
    void the_administrator_s_hash_is_not_shown() {
        assertThat(at(text.parameters(), "AdminKeySha256", "NoEcho")).isEqualTo(true);
        assertThat(map(text.parameters(), "AdminKeySha256")).doesNotContainKey("Default");
    }
}
