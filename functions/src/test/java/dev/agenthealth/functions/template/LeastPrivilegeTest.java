package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.PolicyStatement;
import dev.agenthealth.testkit.Permission;
import dev.agenthealth.testkit.StreamRecords;
import dev.agenthealth.testkit.TestSqs;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** Every function has exactly the permissions that it uses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
@Tag("SYS-03")
@Tag("exhaustive")
class LeastPrivilegeTest {

    private static final String ARN = "arn:aws:%s:us-east-1:000000000000:%s";

    /** Functions that divide their work among further invocations of themselves. */
    private static final Set<String> SHARING = Set.of("SweepFunction", "MeasurementFunction");

    private final TemplateText text = new TemplateText();
    private DeployedSystem small;
    private DeployedSystem large;

    @BeforeAll
    void useEverything() {
        small = new DeployedSystem();
        use(small, false);
        large = new DeployedSystem();
        use(large, true);
    }

    @AfterAll
    void close() {
        small.close();
        large.close();
    }

    private static void use(DeployedSystem system, boolean divided) {
        Scenario scenario = new Scenario(system, system.api(), divided);
        scenario.run();
        assertThat(scenario.reportedActions())
                .as("the scenario covers every action of the sweep")
                .contains("unhealthy", "dead", "cleaned_up", "archived", "credentials_cleared");
        String answer = system.invoke("PublisherFunction", StreamRecords.event(StreamRecords.events(system.tables())));
        assertThat(answer).isEqualTo("{\"batchItemFailures\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RegistryFunction",
                "HeartbeatFunction",
                "AdministrationFunction",
                "HealthFunction",
                "GatewayFunction",
                "TelemetryFunction",
                "InvocationWorkerFunction",
                "NotificationFunction",
                "ProbeFunction",
                "SourceFunction",
                "MeasurementFunction",
                "SweepFunction",
                "PublisherFunction"
            })
    void a_function_has_exactly_the_permissions_that_it_uses(String logicalId) {
        FunctionDefinition function = small.function(logicalId);
        Set<Permission> used = new TreeSet<>(small.uses(logicalId));
        used.addAll(large.uses(logicalId));
        used.addAll(otherUses(function));
        used.addAll(usesOfLambda(function));
        assertThat(permissions(function)).isEqualTo(used);
    }

    /** Permissions that Lambda itself uses in the name of the function: for its logs, its traces, and everything that it polls. */
    private Set<Permission> usesOfLambda(FunctionDefinition function) {
        Object properties = text.properties("AWS::Serverless::Function").get(function.logicalId());
        Set<Permission> used = new TreeSet<>();
        String logs = ARN.formatted("logs", "log-group:" + at(properties, "LoggingConfig", "LogGroup", "Ref") + ":*");
        used.add(new Permission("logs:CreateLogStream", logs));
        used.add(new Permission("logs:PutLogEvents", logs));
        if (!at(properties, "Tracing").equals("Disabled")) {
            used.add(new Permission("xray:PutTraceSegments", "*"));
            used.add(new Permission("xray:PutTelemetryRecords", "*"));
        }
        function.queues().forEach(mapping -> {
            for (String action : List.of("ReceiveMessage", "DeleteMessage", "GetQueueAttributes")) {
                used.add(new Permission("sqs:" + action, mapping.queueArn()));
            }
        });
        function.streams().forEach(mapping -> {
            String streams = ARN.formatted("dynamodb", "table/" + mapping.tableName() + "/stream/");
            for (String action : List.of("DescribeStream", "GetRecords", "GetShardIterator")) {
                used.add(new Permission("dynamodb:" + action, streams + "latest"));
            }
            used.add(new Permission("dynamodb:ListStreams", streams + "*"));
            used.add(new Permission("sqs:SendMessage", mapping.retries().onFailureDestination()));
        });
        return used;
    }

    /** Permissions that the function uses outside DynamoDB. */
    private Set<Permission> otherUses(FunctionDefinition function) {
        Set<Permission> used = new TreeSet<>();
        if (SHARING.contains(function.logicalId())) {
            large.lambda().invoked().stream()
                    .filter(arn -> arn.contains(":" + function.logicalId() + ":"))
                    .map(arn -> arn.replaceAll(":[0-9]+$", ":*"))
                    .forEach(arn -> used.add(new Permission("lambda:InvokeFunction", arn)));
        }
        if (function.logicalId().equals("SweepFunction")) {
            large.lambda().invoked().stream()
                    .filter(arn -> arn.contains(":NotificationFunction:") || arn.contains(":ProbeFunction:"))
                    .forEach(arn -> used.add(new Permission("lambda:InvokeFunction", arn)));
            used.add(new Permission("sqs:SendMessage", probes()));
        }
        if (function.logicalId().equals("ProbeFunction")) {
            used.add(new Permission("sqs:ReceiveMessage", probes()));
            used.add(new Permission("sqs:DeleteMessage", probes()));
            // For agents that are left when the time of a run is over.
            used.add(new Permission("sqs:SendMessage", probes()));
        }
        if (Set.of("PublisherFunction", "AdministrationFunction").contains(function.logicalId())) {
            small.eventBridge().requests().stream()
                    .flatMap(request -> request.stream())
                    .map(PutEventsRequestEntry::eventBusName)
                    .forEach(bus ->
                            used.add(new Permission("events:PutEvents", ARN.formatted("events", "event-bus/" + bus))));
        }
        boolean notifies = function.logicalId().equals("NotificationFunction");
        // The registry queues commands, the gateway invocations and commands, the administration commands and
        // cancellations of
        // a stop, and the worker cancellations that its time does not suffice for.
        Set<String> queueing =
                Set.of("GatewayFunction", "RegistryFunction", "AdministrationFunction", "InvocationWorkerFunction");
        if (notifies || queueing.contains(function.logicalId())) {
            small.sqs().messages().stream()
                    .filter(message -> message.queueUrl().contains("Notification") == notifies
                            && !message.queueUrl().contains("Probe"))
                    .forEach(message -> used.add(new Permission("sqs:SendMessage", TestSqs.arn(message.queueUrl()))));
        }
        if (notifies) {
            String queue = TestSqs.arn(function.environment().get("NOTIFICATION_QUEUE_URL"));
            assertThat(small.sqs().wasRead()).isTrue();
            used.add(new Permission("sqs:ReceiveMessage", queue));
            used.add(new Permission("sqs:DeleteMessage", queue));
        }
        if (notifies || function.logicalId().equals("AdministrationFunction")) {
            used.addAll(usesOfTargets(function));
        }
        if (function.logicalId().equals("InvocationWorkerFunction")) {
            small.sqs()
                    .redeliveries()
                    .forEach(message ->
                            used.add(new Permission("sqs:ChangeMessageVisibility", TestSqs.arn(message.queueUrl()))));
        }
        String key = function.environment().getOrDefault("SECRETS_KEY_ARN", "");
        if (!key.isEmpty()) {
            assertThat(small.kms().decryptRequests()).hasSizeGreaterThanOrEqualTo(2);
            assertThat(small.kms().dataKeyRequests()).isNotEmpty();
            used.add(new Permission("kms:Decrypt", key));
            // A function that only decrypts encrypts, too: it tests its own key if KMS denies a secret.
            used.add(new Permission("kms:GenerateDataKey", key));
        }
        return used;
    }

    /** The queue of probes, to which the sweep sent where it started their function. */
    private String probes() {
        assertThat(large.lambda().invoked()).anyMatch(arn -> arn.contains(":ProbeFunction:"));
        return TestSqs.arn(small.function("ProbeFunction").environment().get("PROBE_QUEUE_URL"));
    }

    /** Permissions of a function that sends to the targets of rules. */
    private Set<Permission> usesOfTargets(FunctionDefinition function) {
        String topic = function.environment().get("NOTIFICATION_TOPIC_ARN");
        assertThat(small.sns().messages()).hasSizeGreaterThanOrEqualTo(2);
        Set<Permission> used = new TreeSet<>();
        used.add(new Permission("sns:Subscribe", topic));
        used.add(new Permission("sns:Publish", topic));
        return used;
    }

    private static Set<Permission> permissions(FunctionDefinition function) {
        Set<Permission> permissions = new TreeSet<>();
        for (PolicyStatement statement : function.policies()) {
            assertThat(statement.effect()).isEqualTo("Allow");
            for (String action : statement.actions()) {
                statement.resources().forEach(resource -> permissions.add(new Permission(action, resource)));
            }
        }
        return permissions;
    }
}
