package dev.agenthealth.local;

import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.ProcessState;
import dev.agenthealth.functions.runtime.wiring.ReadsTogether;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.template.FunctionDefinition;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Starts the template's functions, each with the environment of the template, adapted to this machine. */
final class LocalFunctions {

    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(2);

    private LocalFunctions() {}

    /**
     * The services in this process that the functions use.
     *
     * @param dynamoDb returns the client of a function
     */
    record Services(
            Function<FunctionDefinition, DynamoDbClient> dynamoDb,
            ReadsTogether reads,
            EventBridgeClient eventBridge,
            LambdaClient lambda,
            SqsClient sqs) {}

    /**
     * Returns the functions without handlers.
     *
     * @param selfCheckAddresses addresses at which the self-check reaches this machine, by environment variable
     * @param keys keys of this installation, by environment variable
     * @throws IllegalStateException if the class of a handler cannot be found
     */
    static List<EmulatedFunction> of(
            List<FunctionDefinition> definitions,
            LocalOptions options,
            Map<String, String> selfCheckAddresses,
            Map<String, String> keys,
            Services services) {
        ProcessState process = new ProcessState();
        process.shared(ReadsTogether.class, services::reads);
        return definitions.stream()
                .map(LocalFunctions::withRequestTimeout)
                .map(definition -> {
                    Wiring.Builder wiring = Wiring.of(environment(definition, options, selfCheckAddresses, keys))
                            .clock(options.clock())
                            .pause(options.pause())
                            .dynamoDb(() -> services.dynamoDb().apply(definition))
                            .eventBridge(services::eventBridge)
                            .lambda(services::lambda)
                            .sqs(services::sqs)
                            .storageMeter(StorageMeter.withoutUnits())
                            .process(process);
                    options.mailServer().ifPresent(wiring::mailServer);
                    return EmulatedFunction.withoutHandler(definition, wiring.build(), options.clock(), options.out());
                })
                .toList();
    }

    /**
     * Creates the handlers that no request has created yet. Functions with routes come first, because requests wait for their handlers.
     *
     * @throws IllegalStateException if a handler cannot be created
     * @throws CompletionException if another thread cannot create a handler; the cause names it
     */
    static void createHandlers(List<EmulatedFunction> functions) {
        Queue<EmulatedFunction> left = new ConcurrentLinkedQueue<>();
        for (boolean hasRoutes : List.of(true, false)) {
            functions.stream()
                    .filter(function -> function.definition().routes().isEmpty() != hasRoutes)
                    .forEach(left::add);
        }
        // The first requests mostly want the first function, and should not wait for others beside it.
        left.remove().createHandler();
        // On two threads, because each function loads its own classes.
        CompletableFuture<Void> half = CompletableFuture.runAsync(
                () -> createAll(left),
                task -> DaemonThreads.named("handlers").newThread(task).start());
        try {
            createAll(left);
        } finally {
            half.join();
        }
    }

    private static void createAll(Queue<EmulatedFunction> left) {
        for (EmulatedFunction next = left.poll(); next != null; next = left.poll()) {
            next.createHandler();
        }
    }

    /**
     * Raises the timeout of a function with routes. A machine that was suspended or overloaded for some seconds would otherwise refuse
     * requests as too late, although it could still answer them.
     */
    private static FunctionDefinition withRequestTimeout(FunctionDefinition deployed) {
        return deployed.routes().isEmpty() || deployed.timeout().compareTo(REQUEST_TIMEOUT) > 0
                ? deployed
                : deployed.withTimeout(REQUEST_TIMEOUT);
    }

    private static Map<String, String> environment(
            FunctionDefinition definition,
            LocalOptions options,
            Map<String, String> selfCheckAddresses,
            Map<String, String> keys) {
        Map<String, String> environment = new HashMap<>(definition.environment());
        environment.computeIfPresent(
                FunctionSettings.SWEEP_PERIOD_SECONDS.name(),
                (name, deployed) -> String.valueOf(options.sweepPeriod().toSeconds()));
        environment.put(FunctionSettings.STREAMS.name(), "true");
        environment.put(FunctionSettings.WATCH_MIN_INTERVAL_SECONDS.name(), "10");
        // Nothing receives heartbeats while the process is down.
        environment.put(FunctionSettings.START_FOLLOWS_OUTAGE.name(), "true");
        // A clock that a test moves is not the clock of this machine.
        environment.put(
                FunctionSettings.MEASURED_CLOCK.name(),
                String.valueOf(options.clock().equals(Clock.systemUTC())));
        if (options.allowsLoopbackEndpoints()) {
            environment.put(FunctionSettings.ALLOW_LOOPBACK_ENDPOINTS.name(), "true");
        }
        // The KMS key of the template does not exist on this machine.
        environment.remove(FunctionSettings.SECRETS_KEY_ARN.name());
        // There is no SNS topic either: a mail server sends e-mail, if it is configured.
        environment.remove(FunctionSettings.NOTIFICATION_TOPIC_ARN.name());
        options.publicUrl().ifPresent(url -> environment.put(FunctionSettings.PUBLIC_URL.name(), url));
        environment.putAll(selfCheckAddresses);
        environment.putAll(keys);
        environment.putAll(options.environment());
        return environment;
    }
}
