package dev.agenthealth.local;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.ListStackResourcesRequest;
import software.amazon.awssdk.services.cloudformation.model.ListStackResourcesResponse;
import software.amazon.awssdk.services.cloudformation.model.StackResourceSummary;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.EnvironmentResponse;
import software.amazon.awssdk.services.lambda.model.GetFunctionConfigurationRequest;
import software.amazon.awssdk.services.lambda.model.GetFunctionConfigurationResponse;

/**
 * A process that serves a stack, as {@code serve --stack} does, where only the tables are deployed: what that command reads of the stack comes from the
 * template. Any number of them run side by side.
 */
public final class StackNode {

    private static final List<String> SERVED =
            List.of("RegistryFunction", "HeartbeatFunction", "AdministrationFunction");

    private StackNode() {}

    /** The stack with the tables that the nodes share. */
    public static Stack stack(String administratorKey) {
        return LocalStack.of(Template.find(), KeyHash.ofKey(administratorKey), "http://localhost", Optional.empty());
    }

    /** Serves until the process is killed. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> environment = System.getenv();
        Stack stack = stack(environment.get("AGENT_HEALTH_ADMIN_KEY"));
        int port = Integer.parseInt(environment.get("AGENT_HEALTH_PORT"));
        StackServer.start(
                Template.find(),
                "node",
                SERVED,
                new StackServer.Address("127.0.0.1", port, ""),
                new Resources(),
                new Configurations(stack),
                System.out);
        new CountDownLatch(1).await();
    }

    /** Resources whose physical names are the logical ones. */
    private record Resources() implements CloudFormationClient {

        @Override
        public ListStackResourcesResponse listStackResources(ListStackResourcesRequest request) {
            List<StackResourceSummary> resources = SERVED.stream()
                    .map(name -> StackResourceSummary.builder()
                            .logicalResourceId(name)
                            .physicalResourceId(name)
                            .build())
                    .toList();
            return ListStackResourcesResponse.builder()
                    .stackResourceSummaries(resources)
                    .build();
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }

    /** The environments of the functions, as the template has them. */
    private record Configurations(Stack stack) implements LambdaClient {

        @Override
        public GetFunctionConfigurationResponse getFunctionConfiguration(GetFunctionConfigurationRequest request) {
            Map<String, String> variables = stack.functions().stream()
                    .filter(function -> function.logicalId().equals(request.functionName()))
                    .findFirst()
                    .orElseThrow()
                    .environment();
            return GetFunctionConfigurationResponse.builder()
                    .environment(
                            EnvironmentResponse.builder().variables(variables).build())
                    .build();
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }
}
