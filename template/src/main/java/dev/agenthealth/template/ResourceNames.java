package dev.agenthealth.template;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Physical names and ARNs of resources outside AWS: the results of {@code Ref} and {@code Fn::GetAtt}. They are derived from the logical
 * id, unless the template gives a name.
 */
final class ResourceNames {

    private final Resolution resolution;

    ResourceNames(Resolution resolution) {
        this.resolution = resolution;
    }

    /**
     * @param type the resource's type, for example {@code AWS::DynamoDB::Table}
     * @param named the name in the template; empty without a name
     */
    String ref(String type, String logicalId, Optional<String> named) {
        String name = named.orElse(logicalId);
        return switch (type) {
            case "AWS::SQS::Queue" ->
                "https://sqs." + resolution.region() + ".amazonaws.com/" + resolution.accountId() + "/" + name;
            case "AWS::SNS::Topic" -> arn("sns", name);
            default -> name;
        };
    }

    /** Returns the ARN that {@code Ref} of a function's published alias returns ({@code Ref: Function.Alias} in SAM). */
    String aliasArn(String functionName, String alias) {
        return arn("lambda", "function:" + functionName + ":" + alias);
    }

    /** @throws TemplateException if the attribute of the type is not supported */
    String attribute(String type, String logicalId, Optional<String> named, String attribute) {
        String given = resolution.attributes().get(logicalId + "." + attribute);
        if (given != null) {
            return given;
        }
        String name = named.orElse(logicalId);
        return switch (type + " " + attribute) {
            case "AWS::DynamoDB::Table Arn" -> arn("dynamodb", "table/" + name);
            case "AWS::DynamoDB::Table StreamArn" -> arn("dynamodb", "table/" + name + "/stream/latest");
            case "AWS::Serverless::Function Arn", "AWS::Lambda::Function Arn" -> arn("lambda", "function:" + name);
            case "AWS::Serverless::HttpApi ApiEndpoint" ->
                "https://" + name.toLowerCase(Locale.ROOT) + ".execute-api." + resolution.region() + ".amazonaws.com";
            case "AWS::Lambda::Url FunctionUrl" ->
                "https://" + name.toLowerCase(Locale.ROOT) + ".lambda-url." + resolution.region() + ".on.aws/";
            case "AWS::Events::EventBus Arn" -> arn("events", "event-bus/" + name);
            case "AWS::Events::EventBus Name", "AWS::SQS::Queue QueueName" -> name;
            case "AWS::Events::Rule Arn" -> arn("events", "rule/" + name);
            case "AWS::SQS::Queue Arn" -> arn("sqs", name);
            case "AWS::SQS::Queue QueueUrl" -> ref(type, logicalId, named);
            case "AWS::KMS::Key Arn" -> arn("kms", "key/" + name);
            case "AWS::IAM::Role Arn" -> "arn:aws:iam::" + resolution.accountId() + ":role/" + name;
            case "AWS::Logs::LogGroup Arn" -> arn("logs", "log-group:" + name + ":*");
            default ->
                throw new TemplateException(
                        "Fn::GetAtt " + logicalId + "." + attribute + ": not a supported attribute of " + type);
        };
    }

    /** Returns the property that names a resource of the type; empty if the type has no such property. */
    static Optional<String> nameProperty(String type) {
        return Optional.ofNullable(NAME_PROPERTIES.get(type));
    }

    private static final Map<String, String> NAME_PROPERTIES = Map.of(
            "AWS::DynamoDB::Table", "TableName",
            "AWS::Serverless::Function", "FunctionName",
            "AWS::Events::EventBus", "Name",
            "AWS::Events::Rule", "Name",
            "AWS::SQS::Queue", "QueueName",
            "AWS::SNS::Topic", "TopicName",
            "AWS::Logs::LogGroup", "LogGroupName");

    private String arn(String service, String resource) {
        return "arn:aws:" + service + ":" + resolution.region() + ":" + resolution.accountId() + ":" + resource;
    }
}
