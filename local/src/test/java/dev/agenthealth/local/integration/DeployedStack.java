package dev.agenthealth.local.integration;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Template;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.Parameter;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.GetFunctionConfigurationResponse;

/**
 * A stack that CloudFormation made of the template: what it is called there, and what the template says, resolved for that deployment.
 */
final class DeployedStack {

    private static final String ALIAS = "live";

    private final Map<String, String> physicalIds = new HashMap<>();
    private final Map<String, GetFunctionConfigurationResponse> functions = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final String apiEndpoint;
    private final Stack template;

    DeployedStack(CloudFormationClient cloudFormation, LambdaClient lambda, String stackName, String administratorKey) {
        cloudFormation
                .listStackResourcesPaginator(request -> request.stackName(stackName))
                .stackResourceSummaries()
                .forEach(resource -> physicalIds.put(resource.logicalResourceId(), resource.physicalResourceId()));
        software.amazon.awssdk.services.cloudformation.model.Stack stack = cloudFormation
                .describeStacks(request -> request.stackName(stackName))
                .stacks()
                .get(0);
        Map<String, String> parameters = new HashMap<>();
        for (Parameter parameter : stack.parameters()) {
            parameters.put(parameter.parameterKey(), parameter.parameterValue());
        }
        parameters.put("AdminKeySha256", KeyHash.ofKey(administratorKey).hex());
        for (String logicalId : Template.find().resourcesOfType("AWS::Serverless::Function")) {
            functions.put(
                    logicalId, lambda.getFunctionConfiguration(request -> request.functionName(physicalId(logicalId))));
        }
        apiEndpoint = function("SweepFunction").environment().variables().get("PUBLIC_URL");
        String[] arn = stack.stackId().split(":");
        Map<String, String> attributes = new HashMap<>(Map.of("HttpApi.ApiEndpoint", apiEndpoint));
        if (has("SecretsKey")) {
            attributes.put(
                    "SecretsKey.Arn", "arn:aws:kms:" + arn[3] + ":" + arn[4] + ":key/" + physicalId("SecretsKey"));
        }
        template = Template.find().stack(new Resolution(parameters, attributes, stackName, arn[3], arn[4]));
        for (TableDefinition table : template.tables()) {
            names.put(table.name(), physicalId(table.logicalId()));
        }
        for (QueueDefinition queue : template.queues()) {
            String url = physicalId(queue.logicalId());
            names.put(queue.url(), url);
            names.put(
                    queue.arn(),
                    "arn:aws:sqs:" + arn[3] + ":" + arn[4] + ":" + url.substring(url.lastIndexOf('/') + 1));
        }
        for (String topic : Template.find().resourcesOfType("AWS::SNS::Topic")) {
            if (has(topic)) {
                names.put("arn:aws:sns:" + arn[3] + ":" + arn[4] + ":" + topic, physicalId(topic));
            }
        }
        for (FunctionDefinition function : template.functions()) {
            names.put(
                    "arn:aws:lambda:" + arn[3] + ":" + arn[4] + ":function:" + function.name() + ":" + ALIAS,
                    aliasArn(function.logicalId()));
        }
    }

    /** The stack of the template. Names that it leaves to CloudFormation are made up, and {@link #names} has the real ones. */
    Stack template() {
        return template;
    }

    /** The real name of a table, URL or ARN of a queue, or ARN of a topic or alias by the one made up. */
    Map<String, String> names() {
        return Map.copyOf(names);
    }

    /** Returns true where CloudFormation made a resource; it leaves out those whose condition does not hold. */
    boolean has(String logicalId) {
        return physicalIds.containsKey(logicalId);
    }

    /** The physical id of a resource. */
    String physicalId(String logicalId) {
        String id = physicalIds.get(logicalId);
        if (id == null) {
            throw new AssertionError("the stack has no " + logicalId);
        }
        return id;
    }

    GetFunctionConfigurationResponse function(String logicalId) {
        return functions.get(logicalId);
    }

    /** The ARN under which a function is invoked. */
    String aliasArn(String logicalId) {
        return function(logicalId).functionArn() + ":" + ALIAS;
    }

    /** The id of the HTTP API. */
    String apiId() {
        return URI.create(apiEndpoint).getHost().replaceFirst("\\..*", "");
    }
}
