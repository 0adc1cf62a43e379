package dev.agenthealth.local;

import dev.agenthealth.emulator.apigateway.ApiServer;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.functions.registry.ping.PingRoutes;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.StackResourceSummary;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * Serves the routes of some functions of a deployed stack in this process, on the stack's tables, queues and bus. It stores nothing itself:
 * several servers may run side by side, and beside the functions. Thread-safe.
 */
public final class StackServer implements AutoCloseable {

    /** Paths for a load balancer and the image's own check, which every server answers. */
    private static final Set<String> ALIVE = Set.of("/ping", "/api/v1/ping");

    private static final String ALIAS = "live";

    /** The maximum time of a function for a request. Platforms must wait longer before they kill the process. */
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final WebServer server;
    private final String baseUrl;

    /**
     * The address of a server.
     *
     * @param host the name or number that it listens on
     * @param port 0 for a free port
     * @param publicUrl the URL in answers and signed cards; empty for the stack's own URL
     */
    public record Address(String host, int port, String publicUrl) {

        private Map<String, String> named(Map<String, String> deployed) {
            Map<String, String> environment = new HashMap<>(deployed);
            if (!publicUrl.isEmpty()) {
                environment.put(FunctionSettings.PUBLIC_URL.name(), publicUrl);
            }
            return environment;
        }
    }

    private StackServer(WebServer server, String host) {
        this.server = server;
        this.baseUrl = LocalStack.baseUrl(host, server.port());
    }

    /**
     * Reads the environments of the deployed functions and starts a server.
     *
     * @param template the template that the stack was deployed from
     * @param stackName the stack, in the Region and account of the process's credentials
     * @param logicalIds functions with routes, by their names in the template
     * @param address the server's address
     * @param out receives the log
     * @throws IllegalArgumentException for a function without routes; the message names functions with routes
     * @throws IOException if the address is not available
     * @throws software.amazon.awssdk.core.exception.SdkException if the stack or a function cannot be read
     */
    public static StackServer start(
            Template template,
            String stackName,
            Collection<String> logicalIds,
            Address address,
            CloudFormationClient cloudFormation,
            LambdaClient lambda,
            PrintStream out)
            throws IOException {
        Clock clock = Clock.systemUTC();
        EmulatorLog log = new LoggedEmulator(new Log(clock, out, stackName));
        List<EmulatedFunction> functions = served(template, logicalIds).stream()
                .map(definition -> EmulatedFunction.start(
                        definition,
                        Wiring.onAws(
                                address.named(environment(stackName, definition.logicalId(), cloudFormation, lambda))),
                        clock,
                        out))
                .toList();
        WebServer server = WebServer.bind(address.host(), address.port(), "http", log);
        server.start(new Alive(new ApiServer(functions, Shares::withRemoteTables, clock, log)));
        return new StackServer(server, address.host());
    }

    /** Returns the URL of the server without a trailing slash. */
    public String baseUrl() {
        return baseUrl;
    }

    /** Answers requests in progress, then stops. */
    @Override
    public void close() {
        server.close(CLOSE_TIMEOUT);
    }

    private static List<FunctionDefinition> served(Template template, Collection<String> logicalIds) {
        // The environments come from the stack, so that the key and the address do not matter.
        Map<String, FunctionDefinition> withRoutes =
                LocalStack.of(template, KeyHash.ofKey(""), "", Optional.empty()).functions().stream()
                        .filter(function -> !function.routes().isEmpty())
                        .collect(Collectors.toMap(FunctionDefinition::logicalId, Function.identity()));
        if (logicalIds.isEmpty() || !withRoutes.keySet().containsAll(logicalIds)) {
            throw new IllegalArgumentException(
                    "the functions must be some of " + String.join(", ", new TreeSet<>(withRoutes.keySet())));
        }
        return logicalIds.stream().distinct().map(withRoutes::get).toList();
    }

    private static Map<String, String> environment(
            String stackName, String logicalId, CloudFormationClient cloudFormation, LambdaClient lambda) {
        String name =
                cloudFormation
                        .listStackResourcesPaginator(request -> request.stackName(stackName))
                        .stackResourceSummaries()
                        .stream()
                        .filter(resource -> resource.logicalResourceId().equals(logicalId))
                        .map(StackResourceSummary::physicalResourceId)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("the stack has no " + logicalId));
        Map<String, String> environment = new HashMap<>(lambda.getFunctionConfiguration(
                        request -> request.functionName(name).qualifier(ALIAS))
                .environment()
                .variables());
        environment.put(FunctionSettings.STREAMS.name(), "true");
        return environment;
    }

    /** Answers requests that check whether the process is alive, and passes other requests on. */
    private record Alive(Endpoint api) implements Endpoint {

        private static final RawResponse ANSWER =
                RawResponse.of(200, "text/plain", "Healthy Connection".getBytes(StandardCharsets.UTF_8));

        @Override
        public RawResponse answer(RawRequest request) {
            return ALIVE.contains(request.rawPath()) ? ANSWER : api.answer(request);
        }

        @Override
        public Share share(RawRequest head) {
            return api.share(head);
        }

        @Override
        public RawResponse refusal(RawRequest head, int status, String error, String detail) {
            return api.refusal(head, status, error, detail);
        }

        @Override
        public boolean needsOnlyStart(RawRequest head) {
            return PingRoutes.isPing(head.rawPath());
        }

        @Override
        public boolean hasValidKey(RawRequest head) {
            return api.hasValidKey(head);
        }
    }
}
