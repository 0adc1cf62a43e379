package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackTest {

    private static final String FUNCTION =
            """
            Globals:
              Function:
                Timeout: 10
                Environment: { Variables: { SHARED: global, MINE: !Sub global } }
            Conditions:
              Never: !Equals [a, b]
            Resources:
              Api:
                Type: AWS::Serverless::HttpApi
                Properties:
                  DefinitionBody:
                    paths:
                      "/things/{id}": { get: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Worker" } } }
                      /rest:
                        x-amazon-apigateway-any-method: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Worker" } }
                    components:
                      x-amazon-apigateway-integrations:
                        Worker: { uri: !Sub ["arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${Alias}/invocations", { Alias: !Ref Worker.Alias }] }
              Store: { Type: "AWS::DynamoDB::Table" }
              Letters: { Type: "AWS::SQS::Queue" }
              Work:
                Type: AWS::SQS::Queue
                Properties:
                  QueueName: the-work
                  VisibilityTimeout: 60
                  MessageRetentionPeriod: 86400
                  MaximumMessageSize: 2048
                  RedrivePolicy: { deadLetterTargetArn: !GetAtt Letters.Arn, maxReceiveCount: 3 }
              Worker:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: org.example.Worker::handleRequest
                  MemorySize: 512
                  Environment: { Variables: { MINE: !Ref Store, NUMBER: 5 } }
                  Role: !GetAtt WorkerRole.Arn
                  Events:
                    Tick: { Type: ScheduleV2, Properties: { ScheduleExpression: rate(1 minute) } }
                    Stream:
                      Type: DynamoDB
                      Properties:
                        Stream: !GetAtt Store.StreamArn
                        StartingPosition: TRIM_HORIZON
                        BatchSize: 7
                        MaximumRetryAttempts: 9
                        MaximumRecordAgeInSeconds: 60
                        FunctionResponseTypes: [ReportBatchItemFailures]
                        DestinationConfig: { OnFailure: { Destination: !GetAtt Letters.Arn } }
                        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] }
                    Messages:
                      Type: SQS
                      Properties:
                        Queue: !GetAtt Work.Arn
                        BatchSize: 5
                        ScalingConfig: { MaximumConcurrency: 20 }
                        FunctionResponseTypes: [ReportBatchItemFailures]
                    Others: { Type: SQS, Properties: { Queue: !GetAtt Letters.Arn } }
              WorkerRole:
                Type: AWS::IAM::Role
                Properties:
                  ManagedPolicyArns: [!Ref Shared, "arn:aws:iam::aws:policy/Other"]
                  Policies:
                    - PolicyDocument: { Statement: [{ Effect: Allow, Action: "dynamodb:GetItem", Resource: !GetAtt Store.Arn }] }
              Shared:
                Type: AWS::IAM::ManagedPolicy
                Properties: { PolicyDocument: { Statement: [{ Effect: Allow, Action: [a:B, a:C], Resource: ["*"] }] } }
              Attached:
                Type: AWS::IAM::Policy
                Properties: { Roles: [!Ref WorkerRole], PolicyDocument: { Statement: [{ Effect: Deny, Action: "a:D", Resource: "*" }] } }
              Absent:
                Type: AWS::Serverless::Function
                Condition: Never
                Properties: { Handler: org.example.Absent::handleRequest }
            """;

    private static Stack stack(String template) {
        return Template.parse(template, "test").stack(Resolution.local());
    }

    @Test
    void reads_a_function_with_the_globals_merged_in() {
        List<FunctionDefinition> functions = stack(FUNCTION).functions();
        assertThat(functions).hasSize(1);
        FunctionDefinition worker = functions.get(0);
        assertThat(worker.name()).isEqualTo("Worker");
        assertThat(worker.handlerClass()).isEqualTo("org.example.Worker");
        assertThat(worker.handlerMethod()).isEqualTo("handleRequest");
        assertThat(worker.timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(worker.memoryMegabytes()).isEqualTo(512);
        assertThat(worker.environment())
                .containsOnlyKeys("SHARED", "MINE", "NUMBER")
                .containsEntry("SHARED", "global")
                .containsEntry("MINE", "Store")
                .containsEntry("NUMBER", "5");
        assertThat(worker.routes()).extracting(Route::routeKey).containsExactly("GET /things/{id}", "ANY /rest");
        assertThat(worker.schedules()).containsExactly(new ScheduleDefinition("Tick", "rate(1 minute)", ""));
        assertThat(worker.streams())
                .containsExactly(new StreamMapping(
                        "Stream",
                        "Store",
                        "TRIM_HORIZON",
                        List.of("{\"eventName\":[\"INSERT\"]}"),
                        7,
                        true,
                        new StreamMapping.Retries(
                                9, Duration.ofMinutes(1), false, "arn:aws:sqs:us-east-1:000000000000:Letters")));
        assertThat(worker.queues())
                .containsExactly(
                        new QueueMapping("Messages", "arn:aws:sqs:us-east-1:000000000000:the-work", 5, 20, true),
                        new QueueMapping("Others", "arn:aws:sqs:us-east-1:000000000000:Letters", 10, 0, false));
        assertThat(worker.policies())
                .containsExactly(
                        new PolicyStatement(
                                "Allow",
                                List.of("dynamodb:GetItem"),
                                List.of("arn:aws:dynamodb:us-east-1:000000000000:table/Store")),
                        new PolicyStatement("Allow", List.of("a:B", "a:C"), List.of("*")),
                        new PolicyStatement("Deny", List.of("a:D"), List.of("*")));
    }

    @Test
    void an_included_file_stands_beside_the_other_resources() {
        String template =
                """
                Resources:
                  Waiting: { Type: "AWS::SQS::Queue" }
                  Fn::Transform: { Name: AWS::Include, Parameters: { Location: more.yaml } }
                """;
        Template read =
                Template.parse(template, "test", Map.of("more.yaml", "Other: { Type: \"AWS::SQS::Queue\" }\n")::get);
        assertThat(read.resourcesOfType("AWS::SQS::Queue")).containsExactly("Waiting", "Other");
        assertThatThrownBy(() -> Template.parse(
                        template, "test", Map.of("more.yaml", "Waiting: { Type: \"AWS::SNS::Topic\" }\n")::get))
                .hasMessageContaining("has Waiting twice");
    }

    @Test
    void an_included_file_stands_in_its_place() {
        String body = FUNCTION.substring(FUNCTION.indexOf("        paths:"), FUNCTION.indexOf("  Store: {"));
        String file = body.replace("!Sub [", "{ \"Fn::Sub\": [")
                .replace("!Ref Worker.Alias }]", "{ Ref: Worker.Alias } }] }");
        String template = FUNCTION.replace(
                "DefinitionBody:\n" + body,
                "DefinitionBody: { \"Fn::Transform\": { Name: \"AWS::Include\", Parameters: { Location: api.yaml } } }\n");
        Stack stack =
                Template.parse(template, "test", Map.of("api.yaml", file)::get).stack(Resolution.local());
        assertThat(stack.functions().get(0).routes())
                .extracting(Route::routeKey)
                .containsExactly("GET /things/{id}", "ANY /rest");
        assertThatThrownBy(() -> Template.parse(template, "test")).hasMessage("test: includes api.yaml");
        assertThatThrownBy(() -> Template.parse(template, "test", Map.of("api.yaml", body)::get))
                .hasMessage("api.yaml: CloudFormation takes only the long form of functions here");
        assertThatThrownBy(() -> Template.parse(template.replace("AWS::Include", "Other"), "test", name -> file))
                .hasMessageContaining("only AWS::Include is supported");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    org.example.Worker::handleRequest | org.example.Worker | Worker.Handler
                    Role: !GetAtt WorkerRole.Arn      | Policies: []       | Worker.Policies
                    rate(1 minute)                    | rate(30 seconds)   | Worker.Events.Tick.Properties
                    Type: ScheduleV2                  | Type: Kafka        | Worker.Events.Tick.Type
                    "/things/{id}"                    | things             | must begin with a slash
                    !Ref Worker.Alias }] }            | !Ref Worker }] }   | must be the alias of a function
                    /Worker"                          | /Other"            | integrations.Other.uri: must be the alias
                    BatchSize: 7                      | BatchSize: some    | not a whole number
                    !GetAtt Store.StreamArn           | !GetAtt Store.Arn  | must be the stream of a table
                    ScalingConfig                     | FilterCriteria     | filters of queues are not supported
                    !Ref Store                        | !Ref Shop          | Worker: Ref Shop
                    !Ref Store                        | [a]                | must be a single value
                    """)
    void an_error_names_its_place(String right, String wrong, String message) {
        Stack stack = stack(FUNCTION.replace(right, wrong));
        assertThatThrownBy(stack::functions)
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining(message);
    }

    @Test
    void reads_queues_with_the_defaults_of_sqs() {
        assertThat(stack(FUNCTION).queues())
                .containsExactly(
                        new QueueDefinition(
                                "Letters",
                                "Letters",
                                new QueueDefinition.Address(
                                        "https://sqs.us-east-1.amazonaws.com/000000000000/Letters",
                                        "arn:aws:sqs:us-east-1:000000000000:Letters"),
                                Duration.ofSeconds(30),
                                Duration.ofDays(4),
                                256 * 1024,
                                QueueDefinition.Redrive.NONE),
                        new QueueDefinition(
                                "Work",
                                "the-work",
                                new QueueDefinition.Address(
                                        "https://sqs.us-east-1.amazonaws.com/000000000000/the-work",
                                        "arn:aws:sqs:us-east-1:000000000000:the-work"),
                                Duration.ofMinutes(1),
                                Duration.ofDays(1),
                                2048,
                                new QueueDefinition.Redrive("arn:aws:sqs:us-east-1:000000000000:Letters", 3)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    VisibilityTimeout: 60 | VisibilityTimeout: long | Work.VisibilityTimeout: not a whole number
                    maxReceiveCount: 3    | maxReceiveCount: 0      | Work.RedrivePolicy.maxReceiveCount: must be at least 1
                    deadLetterTargetArn   | target                  | deadLetterTargetArn is missing
                    QueueName: the-work   | FifoQueue: true         | only standard queues are supported
                    """)
    void an_error_in_a_queue_names_its_place(String right, String wrong, String message) {
        Stack stack = stack(FUNCTION.replace(right, wrong));
        assertThatThrownBy(stack::queues).isInstanceOf(TemplateException.class).hasMessageContaining(message);
    }

    @Test
    void reads_rules_without_disabled_ones() {
        Stack stack = stack(
                """
                Resources:
                  Bus: { Type: "AWS::Events::EventBus", Properties: { Name: the-bus } }
                  Logs: { Type: "AWS::Logs::LogGroup" }
                  On:
                    Type: AWS::Events::Rule
                    Properties:
                      EventBusName: !Ref Bus
                      EventPattern: { source: [a, "quo\\"te"], detail: { n: [{ numeric: [">", 5] }], ok: [true, null] } }
                      Targets: [{ Id: log, Arn: !GetAtt Logs.Arn }]
                  Off:
                    Type: AWS::Events::Rule
                    Properties: { State: DISABLED, EventPattern: { source: [a] } }
                """);
        assertThat(stack.eventBuses()).containsExactly("the-bus");
        assertThat(stack.rules())
                .containsExactly(new RuleDefinition(
                        "On",
                        "the-bus",
                        """
                                {"source":["a","quo\\"te"],"detail":{"n":[{"numeric":[">",5]}],"ok":[true,null]}}\
                                """,
                        List.of(new RuleTarget("log", "arn:aws:logs:us-east-1:000000000000:log-group:Logs:*"))));
        assertThat(stack.rules().get(0).targets().get(0).service()).isEqualTo("logs");
    }
}
