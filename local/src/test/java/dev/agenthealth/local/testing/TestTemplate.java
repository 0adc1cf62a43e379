package dev.agenthealth.local.testing;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.template.Template;

/** A system with one of every resource type that the local run supports. */
public final class TestTemplate {

    public static final String BUS = "agent-health-test-bus";
    public static final String TABLE = "Things";

    private static final String TEXT =
            """
            Globals:
              Function:
                AutoPublishAlias: live
                Environment:
                  Variables:
                    TABLE: !Ref Things
                    BUS: !Ref Bus
            Resources:
              Things:
                Type: AWS::DynamoDB::Table
                Properties:
                  AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
                  KeySchema: [{ AttributeName: pk, KeyType: HASH }]
                  StreamSpecification: { StreamViewType: NEW_IMAGE }
                  TimeToLiveSpecification: { AttributeName: ttl, Enabled: true }
              Bus: { Type: "AWS::Events::EventBus", Properties: { Name: !Sub "${AWS::StackName}-test-bus" } }
              Logs: { Type: "AWS::Logs::LogGroup", Properties: { LogGroupName: /test/events } }
              Letters: { Type: "AWS::SQS::Queue" }
              Work:
                Type: AWS::SQS::Queue
                Properties:
                  VisibilityTimeout: 60
                  MessageRetentionPeriod: 3600
                  RedrivePolicy: { deadLetterTargetArn: !GetAtt Letters.Arn, maxReceiveCount: 3 }
              Api:
                Type: AWS::Serverless::HttpApi
                Properties:
                  DefinitionBody:
                    paths:
                      "/echo/{id}":
                        post: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Echo" } }
                        get: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Echo" } }
                      "/odd/{what}":
                        get: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Echo" } }
                      "/environment/{name}":
                        get: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Echo" } }
                      /send:
                        post: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Send" } }
                    components:
                      x-amazon-apigateway-integrations:
                        Echo: { uri: !Sub ["arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${Alias}/invocations", { Alias: !Ref EchoFunction.Alias }] }
                        Send: { uri: !Sub ["arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${Alias}/invocations", { Alias: !Ref SendFunction.Alias }] }
              Rule:
                Type: AWS::Events::Rule
                Properties:
                  EventBusName: !Ref Bus
                  EventPattern: { source: [test], detail: { color: [{ anything-but: blue }] } }
                  Targets: [{ Id: log, Arn: !GetAtt Logs.Arn }]
              EchoFunction:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: dev.agenthealth.local.testing.EchoFunction::handleRequest
                  Environment: { Variables: { PUBLIC_URL: !GetAtt Api.ApiEndpoint, SWEEP_PERIOD_SECONDS: 60 } }
              TickFunction:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: dev.agenthealth.local.testing.TickFunction::handleRequest
                  Environment: { Variables: { WORKER: !Ref WorkerFunction.Alias } }
                  Events:
                    Tick:
                      Type: ScheduleV2
                      Properties:
                        ScheduleExpression: rate(1 minute)
                        Input: '{"time":"<aws.scheduler.scheduled-time>","detail":{}}'
              WorkerFunction:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: dev.agenthealth.local.testing.WorkerFunction::handleRequest
              SendFunction:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: dev.agenthealth.local.testing.SendFunction::handleRequest
                  Environment: { Variables: { QUEUE: !Ref Work } }
              QueueFunction:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: dev.agenthealth.local.testing.QueueFunction::handleRequest
                  Timeout: 10
                  Environment: { Variables: { QUEUE: !Ref Work } }
                  Events:
                    Work:
                      Type: SQS
                      Properties:
                        Queue: !GetAtt Work.Arn
                        BatchSize: 3
                        FunctionResponseTypes: [ReportBatchItemFailures]
              StreamFunction:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: dev.agenthealth.local.testing.StreamFunction::handleRequest
                  Events:
                    Records:
                      Type: DynamoDB
                      Properties:
                        Stream: !GetAtt Things.StreamArn
                        StartingPosition: TRIM_HORIZON
                        BatchSize: 4
                        MaximumRetryAttempts: 2
                        BisectBatchOnFunctionError: true
                        FunctionResponseTypes: [ReportBatchItemFailures]
                        DestinationConfig: { OnFailure: { Type: SQS, Destination: !GetAtt Letters.Arn } }
                        FilterCriteria:
                          Filters:
                            - Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"E#"}]}}}}'
            """;

    private TestTemplate() {}

    public static Template template() {
        return Template.parse(TEXT, "test template");
    }

    /** Options of a system that does nothing by itself. */
    public static LocalOptions byHand() {
        return LocalOptions.of(template(), "test-administrator-key").byHand();
    }
}
