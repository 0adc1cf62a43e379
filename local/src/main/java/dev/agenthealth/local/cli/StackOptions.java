package dev.agenthealth.local.cli;

import dev.agenthealth.local.StackServer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** The options of a run that serves a deployed stack. */
final class StackOptions {

    /** The number of connections per service: enough for the running requests of {@code HeartbeatFunction}, with some room. */
    private static final String CONNECTIONS = "128";

    @Option(
            names = "--stack",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "serves routes of this stack of AWS, on its tables, instead of a registry of its own. AGENT_HEALTH_STACK")
    private String stack;

    @Option(
            names = "--functions",
            paramLabel = "NAME",
            split = ",",
            description =
                    "with --stack: the functions whose routes are served, such as HeartbeatFunction. AGENT_HEALTH_FUNCTIONS")
    private List<String> functions = List.of();

    boolean isGiven() {
        return !stack.isEmpty();
    }

    /**
     * Starts with the credentials and the Region of the environment, as the AWS CLI finds them.
     *
     * @throws CommandFailedException if it cannot start; the message is one line with the reason
     */
    StackServer start(StackServer.Address address, PrintStream out) {
        System.setProperty("http.maxConnections", CONNECTIONS);
        try (CloudFormationClient cloudFormation = CloudFormationClient.builder()
                        .httpClientBuilder(UrlConnectionHttpClient.builder())
                        .build();
                LambdaClient lambda = LambdaClient.builder()
                        .httpClientBuilder(UrlConnectionHttpClient.builder())
                        .build()) {
            return StackServer.start(
                    ServeOptions.packagedTemplate().get(), stack, functions, address, cloudFormation, lambda, out);
        } catch (IOException | SdkException | IllegalArgumentException e) {
            throw new CommandFailedException(
                    "Agent Health cannot serve the stack " + stack + ": " + CommandLineTool.oneLine(e.getMessage()), e);
        }
    }
}
