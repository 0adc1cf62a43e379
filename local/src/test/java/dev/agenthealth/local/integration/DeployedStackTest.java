package dev.agenthealth.local.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.QueueMapping;
import dev.agenthealth.template.Route;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import dev.agenthealth.template.ScheduleDefinition;
import dev.agenthealth.template.StreamMapping;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.apigatewayv2.ApiGatewayV2Client;
import software.amazon.awssdk.services.apigatewayv2.model.Integration;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClient;
import software.amazon.awssdk.services.cloudwatchlogs.model.FilteredLogEvent;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.PointInTimeRecoveryStatus;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.Rule;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.EventSourceMappingConfiguration;
import software.amazon.awssdk.services.lambda.model.Filter;
import software.amazon.awssdk.services.lambda.model.FunctionResponseType;
import software.amazon.awssdk.services.lambda.model.GetFunctionConfigurationResponse;
import software.amazon.awssdk.services.scheduler.SchedulerClient;
import software.amazon.awssdk.services.scheduler.model.GetScheduleResponse;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A deployed stack has what the code expects, and the code works on it. The stack is the one that {@code AGENT_HEALTH_STACK} names at
 * {@code AWS_ENDPOINT_URL}, and its administrator's key is {@code AGENT_HEALTH_ADMIN_KEY}. Where {@code AGENT_HEALTH_RUN_STACK} names
 * another stack of the same template and key, the code runs on that one. Not for stacks with agents in them: the test runs the sweep
 * minutes ahead of time.
 */
@DisplayName("DeployedStackTest (skipped without AWS_ENDPOINT_URL, AGENT_HEALTH_STACK and AGENT_HEALTH_ADMIN_KEY)")
@Needs(Need.STACK)
@Tag("SYS-03")
@Tag("SYS-06")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeployedStackTest {

    private static final String LIFECYCLE_RULE = "LifecycleRule";

    private final Map<String, String> environment = System.getenv();
    private Clients clients;
    private DynamoDbClient dynamoDb;
    private LambdaClient lambda;
    private SqsClient sqs;
    private EventBridgeClient eventBridge;
    private CloudWatchLogsClient logs;
    private DeployedStack stack;
    private DeployedStack runStack;
    private Set<Deviation> deviations;

    @BeforeAll
    void open() {
        clients = Clients.of(environment);
        deviations = Deviation.of(clients.endpoint());
        dynamoDb = clients.client(DynamoDbClient.builder());
        lambda = clients.client(LambdaClient.builder());
        sqs = clients.client(SqsClient.builder());
        eventBridge = clients.client(EventBridgeClient.builder());
        logs = clients.client(CloudWatchLogsClient.builder()
                .overrideConfiguration(settings -> settings.addExecutionInterceptor(new WholeTimestamps())));
        try (CloudFormationClient cloudFormation = clients.client(CloudFormationClient.builder())) {
            stack = deployed(cloudFormation, environment.get("AGENT_HEALTH_STACK"));
            runStack = Optional.ofNullable(environment.get("AGENT_HEALTH_RUN_STACK"))
                    .map(name -> deployed(cloudFormation, name))
                    .orElse(stack);
        }
    }

    private DeployedStack deployed(CloudFormationClient cloudFormation, String name) {
        return new DeployedStack(cloudFormation, lambda, name, environment.get("AGENT_HEALTH_ADMIN_KEY"));
    }

    @AfterAll
    void close() {
        List.of(dynamoDb, lambda, sqs, eventBridge, logs).forEach(client -> client.close());
    }

    private void unlessDeviating(Deviation deviation) {
        Assumptions.assumeFalse(deviations.contains(deviation), deviation.description());
    }

    private TableDescription describe(TableDefinition table) {
        return dynamoDb.describeTable(request -> request.tableName(stack.physicalId(table.logicalId())))
                .table();
    }

    @Test
    void the_tables_have_their_keys_indexes_and_stream_and_cannot_be_deleted() {
        for (TableDefinition table : stack.template().tables()) {
            TableShape.assertSame(describe(table), table);
            assertThat(describe(table).deletionProtectionEnabled()).isTrue();
        }
    }

    @Test
    void items_expire_and_tables_can_be_restored() {
        unlessDeviating(Deviation.TABLES_WITHOUT_EXPIRY);
        for (TableDefinition table : stack.template().tables()) {
            String name = stack.physicalId(table.logicalId());
            TableShape.assertSame(
                    dynamoDb.describeTimeToLive(request -> request.tableName(name))
                            .timeToLiveDescription(),
                    table);
            assertThat(dynamoDb.describeContinuousBackups(request -> request.tableName(name))
                            .continuousBackupsDescription()
                            .pointInTimeRecoveryDescription()
                            .pointInTimeRecoveryStatus())
                    .isEqualTo(PointInTimeRecoveryStatus.ENABLED);
        }
    }

    @Test
    void the_functions_have_their_handlers_sizes_and_environments() throws ReflectiveOperationException {
        for (FunctionDefinition function : stack.template().functions()) {
            GetFunctionConfigurationResponse there = stack.function(function.logicalId());
            assertThat(there.handler()).isEqualTo(function.handlerClass() + "::" + function.handlerMethod());
            assertThat(RequestHandler.class).isAssignableFrom(Class.forName(function.handlerClass()));
            assertThat(there.memorySize()).isEqualTo(function.memoryMegabytes());
            assertThat(there.timeout()).isEqualTo((int) function.timeout().toSeconds());
            assertThat(new TreeMap<>(there.environment().variables()))
                    .as(function.logicalId())
                    .isEqualTo(
                            new TreeMap<>(Renaming.of(function, stack.names()).environment()));
        }
    }

    @Test
    void the_functions_are_published_under_the_alias_that_callers_invoke() {
        for (FunctionDefinition function : stack.template().functions()) {
            assertThat(lambda.getAlias(request -> request.functionName(stack.physicalId(function.logicalId()))
                                    .name("live"))
                            .functionVersion())
                    .as(function.logicalId())
                    .matches("[1-9]\\d*");
        }
    }

    @Test
    void every_route_leads_to_the_function_that_answers_it() {
        Map<String, String> deployed = deployedRoutes();
        Map<String, String> template = new TreeMap<>();
        Map<String, String> code = new TreeMap<>();
        for (FunctionDefinition function : stack.template().functions()) {
            for (Route route : function.routes()) {
                template.put(route.routeKey(), stack.aliasArn(function.logicalId()));
            }
            for (String routeKey : answeredBy(function)) {
                code.put(routeKey, stack.aliasArn(function.logicalId()));
            }
        }
        assertThat(deployed).isEqualTo(template);
        // Those of every method pass on what has no other route.
        template.keySet().removeIf(key -> key.startsWith("ANY "));
        assertThat(template).isEqualTo(code);
    }

    /** The alias behind each route. */
    private Map<String, String> deployedRoutes() {
        try (ApiGatewayV2Client api = clients.client(ApiGatewayV2Client.builder())) {
            String id = stack.apiId();
            Map<String, String> integrations =
                    api.getIntegrations(request -> request.apiId(id).maxResults("500")).items().stream()
                            .collect(Collectors.toMap(Integration::integrationId, integration -> integration
                                    .integrationUri()
                                    .replaceFirst("^.*/functions/", "")
                                    .replaceFirst("/invocations$", "")));
            Map<String, String> routes = new TreeMap<>();
            api.getRoutes(request -> request.apiId(id).maxResults("500"))
                    .items()
                    .forEach(route -> routes.put(
                            // moto keeps the name that the description has for a route of any method.
                            route.routeKey().replaceFirst("^X-AMAZON-APIGATEWAY-ANY-METHOD ", "ANY "),
                            integrations.get(route.target().replaceFirst("^integrations/", ""))));
            return routes;
        }
    }

    private Set<String> answeredBy(FunctionDefinition function) {
        Wiring wiring = Wiring.of(
                        stack.function(function.logicalId()).environment().variables())
                .dynamoDb(() -> dynamoDb)
                .eventBridge(() -> eventBridge)
                .lambda(() -> lambda)
                .sqs(() -> sqs)
                .build();
        try {
            Object handler = Class.forName(function.handlerClass())
                    .getConstructor(Wiring.class)
                    .newInstance(wiring);
            return handler instanceof HttpFunction http ? http.routes().keys() : Set.of();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void streams_and_queues_reach_their_functions() {
        for (FunctionDefinition function : stack.template().functions()) {
            List<EventSourceMappingConfiguration> there =
                    lambda.listEventSourceMappings(request -> {}).eventSourceMappings().stream()
                            .filter(mapping -> mapping.functionArn()
                                    .startsWith(
                                            stack.function(function.logicalId()).functionArn() + ":"))
                            .toList();
            assertThat(there)
                    .as(function.logicalId())
                    .hasSize(function.streams().size() + function.queues().size());
            function.streams().forEach(stream -> assertThat(there).anySatisfy(mapping -> assertSame(mapping, stream)));
            function.queues().forEach(queue -> assertThat(there).anySatisfy(mapping -> assertSame(mapping, queue)));
        }
    }

    private void assertSame(EventSourceMappingConfiguration mapping, StreamMapping stream) {
        TableDefinition table = stack.template().tables().stream()
                .filter(each -> each.name().equals(stream.tableName()))
                .findFirst()
                .orElseThrow();
        assertThat(mapping.eventSourceArn()).isEqualTo(describe(table).latestStreamArn());
        assertThat(mapping.startingPositionAsString()).isEqualTo(stream.startingPosition());
        assertThat(mapping.filterCriteria().filters())
                .extracting(Filter::pattern)
                .containsExactlyElementsOf(stream.filterPatterns());
        assertThat(mapping.batchSize()).isEqualTo(stream.batchSize());
        assertThat(mapping.maximumRetryAttempts()).isEqualTo(stream.retries().maximumAttempts());
        assertThat(mapping.maximumRecordAgeInSeconds())
                .isEqualTo((int) stream.retries().maximumRecordAge().toSeconds());
        assertThat(mapping.bisectBatchOnFunctionError())
                .isEqualTo(stream.retries().bisectsOnError());
        assertThat(mapping.functionResponseTypes().contains(FunctionResponseType.REPORT_BATCH_ITEM_FAILURES))
                .isEqualTo(stream.reportsBatchItemFailures());
        assertThat(mapping.destinationConfig().onFailure().destination())
                .isEqualTo(queueArn(stream.retries().onFailureDestination()));
    }

    private void assertSame(EventSourceMappingConfiguration mapping, QueueMapping queue) {
        assertThat(mapping.eventSourceArn()).isEqualTo(queueArn(queue.queueArn()));
        assertThat(mapping.batchSize()).isEqualTo(queue.batchSize());
        assertThat(mapping.scalingConfig().maximumConcurrency()).isEqualTo(queue.maximumConcurrency());
        assertThat(mapping.functionResponseTypes().contains(FunctionResponseType.REPORT_BATCH_ITEM_FAILURES))
                .isEqualTo(queue.reportsBatchItemFailures());
    }

    /** The real ARN of a queue by the one that the template's reader made up. */
    private String queueArn(String madeUp) {
        QueueDefinition queue = stack.template().queues().stream()
                .filter(each -> each.arn().equals(madeUp))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the template has no queue " + madeUp));
        return attributes(queue).get(QueueAttributeName.QUEUE_ARN);
    }

    private Map<QueueAttributeName, String> attributes(QueueDefinition queue) {
        return sqs.getQueueAttributes(request ->
                        request.queueUrl(stack.physicalId(queue.logicalId())).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }

    @Test
    void the_queues_keep_hide_and_give_up_messages_as_they_should() {
        for (QueueDefinition queue : stack.template().queues()) {
            Map<QueueAttributeName, String> there = attributes(queue);
            assertThat(there)
                    .as(queue.logicalId())
                    .containsEntry(
                            QueueAttributeName.VISIBILITY_TIMEOUT,
                            String.valueOf(queue.visibilityTimeout().toSeconds()))
                    .containsEntry(
                            QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                            String.valueOf(queue.retention().toSeconds()));
            if (queue.deadLetterArn().isEmpty()) {
                assertThat(there).doesNotContainKey(QueueAttributeName.REDRIVE_POLICY);
            } else {
                JsonNode redrive = Harness.json(there.get(QueueAttributeName.REDRIVE_POLICY));
                assertThat(redrive.path("deadLetterTargetArn").asText()).isEqualTo(queueArn(queue.deadLetterArn()));
                assertThat(redrive.path("maxReceiveCount").asInt()).isEqualTo(queue.maximumReceives());
            }
        }
    }

    @Test
    void the_schedules_invoke_their_functions_without_retries() {
        try (SchedulerClient scheduler = clients.client(SchedulerClient.builder())) {
            List<GetScheduleResponse> all = scheduler.listSchedulesPaginator(request -> {}).schedules().stream()
                    .map(summary -> scheduler.getSchedule(
                            request -> request.name(summary.name()).groupName(summary.groupName())))
                    .toList();
            for (FunctionDefinition function : stack.template().functions()) {
                String alias = stack.aliasArn(function.logicalId());
                List<GetScheduleResponse> there = all.stream()
                        .filter(schedule -> schedule.target().arn().equals(alias))
                        .toList();
                assertThat(there)
                        .as(function.logicalId())
                        .hasSize(function.schedules().size());
                for (ScheduleDefinition schedule : function.schedules()) {
                    assertThat(there).anySatisfy(each -> {
                        assertThat(each.scheduleExpression()).isEqualTo(schedule.expression());
                        assertThat(each.target().input()).isEqualTo(schedule.input());
                        assertThat(each.target().retryPolicy().maximumRetryAttempts())
                                .isZero();
                    });
                }
                if (!function.schedules().isEmpty() && function.routes().isEmpty()) {
                    assertThat(lambda.getFunctionEventInvokeConfig(
                                            request -> request.functionName(stack.physicalId(function.logicalId()))
                                                    .qualifier("live"))
                                    .maximumRetryAttempts())
                            .isZero();
                }
            }
        }
    }

    @Test
    void the_rules_match_what_they_should_and_their_targets_exist() {
        List<String> logGroups = logs.describeLogGroupsPaginator(request -> {}).logGroups().stream()
                .map(group -> group.arn().replaceFirst(":\\*$", ""))
                .toList();
        for (RuleDefinition rule : stack.template().rules()) {
            Rule there = eventBridge.listRules(request -> request.eventBusName(rule.eventBus())).rules().stream()
                    .filter(each -> stack.physicalId(rule.logicalId()).endsWith(each.name()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no rule " + rule.logicalId()));
            assertThat(there.stateAsString()).isEqualTo("ENABLED");
            assertThat(Harness.json(there.eventPattern())).isEqualTo(Harness.json(rule.eventPattern()));
            List<String> targets = eventBridge
                    .listTargetsByRule(request -> request.rule(there.name()).eventBusName(rule.eventBus()))
                    .targets()
                    .stream()
                    .map(target -> target.arn())
                    .toList();
            assertThat(targets)
                    .containsExactlyInAnyOrderElementsOf(rule.targets().stream()
                            .map(RuleTarget::arn)
                            .map(arn -> stack.names().getOrDefault(arn, arn))
                            .toList());
            assertThat(logGroups)
                    .containsAll(targets.stream()
                            .filter(target -> target.contains(":log-group:"))
                            .toList());
        }
    }

    @Test
    void logs_are_not_kept_for_ever() {
        Map<String, Integer> retention = new HashMap<>();
        logs.describeLogGroupsPaginator(request -> {})
                .logGroups()
                .forEach(group -> retention.put(group.logGroupName(), group.retentionInDays()));
        // Some depend on parameters; what should be there and is not fails the deployment.
        List<String> deployed = Template.find().resourcesOfType("AWS::Logs::LogGroup").stream()
                .filter(stack::has)
                .toList();
        assertThat(deployed).isNotEmpty();
        for (String logicalId : deployed) {
            assertThat(retention.get(stack.physicalId(logicalId))).as(logicalId).isPositive();
        }
    }

    @Test
    @Tag("SYS-05")
    void the_life_of_an_agent_on_the_deployed_tables_reaches_the_target_of_the_rule() {
        MutableClock clock = new MutableClock(Instant.now().truncatedTo(ChronoUnit.SECONDS));
        String agentId = "deployed-" + UUID.randomUUID();
        WebServer server = RunningFunctions.server();
        try (DynamoDbStreamsClient streams = clients.client(DynamoDbStreamsClient.builder());
                RunningFunctions functions = new RunningFunctions(
                        server,
                        deployedFunctions(RunningFunctions.url(server)),
                        new RunningFunctions.Services(dynamoDb, streams, eventBridge, sqs),
                        clock)) {
            RegistryCaller administrator =
                    new RegistryCaller(functions.url(), environment.get("AGENT_HEALTH_ADMIN_KEY"));
            functions.runSchedules();
            ObjectNode agent = Json.object()
                    .put("agent_id", agentId)
                    .put("owner_key_id", "administrator")
                    .put("role_id", "worker");
            agent.putArray("capabilities").add("test");
            agent.putObject("heartbeat_config")
                    .put("interval_seconds", 50)
                    .put("unhealthy_after_seconds", 110)
                    .put("dead_after_seconds", 220);
            RegistryCaller.Answer registered = administrator.post("/api/v1/agents", agent);
            assertThat(registered.status()).as(registered.body()).isEqualTo(201);
            ObjectNode body = Json.object()
                    .put("status", "active")
                    .put("client_timestamp", clock.instant().toString());
            String heartbeat = "/api/v1/agents/" + agentId + "/heartbeat";
            assertThat(administrator.post(heartbeat, body).status()).isEqualTo(200);
            for (int minute = 0; minute < 4; minute++) {
                clock.advanceSeconds(60);
                functions.runSchedules();
            }
            assertThat(administrator.post(heartbeat, body).status()).isEqualTo(410);
            functions.drainStreams();
        }
        assertThat(statuses(agentId)).containsExactly("active", "unhealthy", "dead");
    }

    /** The functions with the environment that they were deployed with, but for the address of their API. */
    private List<FunctionDefinition> deployedFunctions(String url) {
        return runStack.template().functions().stream()
                .map(function -> {
                    Map<String, String> variables = new HashMap<>(runStack.function(function.logicalId())
                            .environment()
                            .variables());
                    variables.computeIfPresent("PUBLIC_URL", (name, deployed) -> url);
                    return Renaming.with(function, variables, runStack.names());
                })
                .toList();
    }

    /** The statuses of an agent that the log group of the rule got, in their order. */
    private List<String> statuses(String agentId) {
        String logGroup = runStack.template().rules().stream()
                .filter(rule -> rule.logicalId().equals(LIFECYCLE_RULE))
                .map(rule -> rule.targets().get(0).arn().replaceFirst("^.*:log-group:", ""))
                .findFirst()
                .orElseThrow();
        return logs.filterLogEventsPaginator(request -> request.logGroupName(logGroup)).events().stream()
                .map(FilteredLogEvent::message)
                .map(Harness::json)
                .map(event -> event.path("detail"))
                .filter(detail -> detail.path("agent_id").asText().equals(agentId))
                .sorted(Comparator.comparing(detail -> detail.path("sequence").asLong()))
                .map(detail -> detail.path("new_status").asText())
                .toList();
    }
}
