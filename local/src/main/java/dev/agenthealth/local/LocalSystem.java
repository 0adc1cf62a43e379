package dev.agenthealth.local;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.AwsEndpoint;
import dev.agenthealth.emulator.RuleTargets;
import dev.agenthealth.emulator.apigateway.ApiServer;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.deadletters.DeadLettersPage;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.eventbridge.BusPage;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.eventbridge.PutEventsEndpoint;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.lambda.InvokeEndpoint;
import dev.agenthealth.emulator.scheduler.Schedules;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.QueueMappings;
import dev.agenthealth.emulator.sqs.SqsEndpoint;
import dev.agenthealth.emulator.streams.Checkpoints;
import dev.agenthealth.emulator.streams.StreamMappings;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.local.data.DataFolder;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.TableDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The template's system, running in this JVM. Thread-safe.
 *
 * <p>With {@link LocalOptions#byHand} and a clock of its own it is deterministic: only requests, {@link #runSchedules}, {@link
 * #drainStreams} and {@link #drainQueues} have effects.
 */
public final class LocalSystem implements AutoCloseable {

    private static final int ASYNCHRONOUS_INVOCATIONS = 4;

    private final WebServer server;
    private final Closing closing;
    private final List<EmulatedFunction> functions;
    private final String baseUrl;
    private final EmulatedTables database;
    private final EventBuses buses;
    private final StreamMappings streams;
    private final EmulatedQueues queues;
    private final QueueMappings queueMappings;
    private final KeyHash administratorKey;
    private final DeadLetters deadLetters = new DeadLetters();
    private final Schedules schedules;

    private LocalSystem(
            LocalOptions options,
            KeyHash administratorKey,
            CompletableFuture<EmulatedTables> opening,
            WebServer server,
            Closing closing,
            EmulatorLog log)
            throws IOException {
        this.administratorKey = administratorKey;
        this.server = server;
        this.closing = closing;
        this.baseUrl = LocalStack.baseUrl(options.host(), server.port());
        Optional<WebServer> urlServer = Optional.empty();
        if (options.heartbeatUrlPort() != LocalOptions.NO_PORT) {
            urlServer = Optional.of(
                    closing.add(WebServer.bind(options.host(), options.heartbeatUrlPort(), "function-url", log)));
        }
        Stack stack = LocalStack.of(
                options.template(),
                administratorKey,
                baseUrl,
                urlServer.map(bound -> LocalStack.baseUrl(options.host(), bound.port())));
        // Functions start while the database opens; their first requests come when its tables are there.
        CompletableFuture<EmulatedTables> complete =
                opening.thenApplyAsync(opened -> opened.with(tables(stack, options)));
        closing.add(() -> complete.handle((tables, failure) -> failure).join());
        AwsEndpoint aws = closing.add(AwsEndpoint.bind(log));
        Executor asynchronous = asynchronous(options, closing);
        this.functions = functions(stack, options, opening, aws);
        this.database = complete.join();
        this.queues = queues(stack, options);
        RuleTargets targets = new RuleTargets(functions, stack.rules(), queues, asynchronous, options.out(), log);
        this.buses = new EventBuses(stack.eventBuses(), stack.rules(), targets);
        this.streams = closing.add(new StreamMappings(
                functions,
                database.client(),
                database.streams(),
                checkpoints(options),
                deadLetters,
                options.clock(),
                log));
        this.queueMappings = closing.add(new QueueMappings(functions, queues, deadLetters, options.clock(), log));
        this.schedules = closing.add(new Schedules(functions, options.sweepPeriod(), options.clock(), log));
        aws.start(
                new PutEventsEndpoint(buses, options.clock()),
                new InvokeEndpoint(functions, asynchronous, log),
                new SqsEndpoint(queues));
        server.start(new LocalPages(localPages(), administratorKey, new ApiServer(functions, options.clock(), log)));
        for (String logicalId : stack.functionUrls().values()) {
            urlServer.orElseThrow().start(ApiServer.ofFunctionUrl(function(logicalId), options.clock(), log));
        }
        if (options.isAutomatic()) {
            streams.start();
            queueMappings.start();
            schedules.start();
        }
    }

    /**
     * Starts the system; it answers requests when this returns.
     *
     * @throws IOException when the data folder or the address is not available ({@link java.net.BindException} when the address is in
     *     use)
     * @throws RuntimeException when the template or a handler is not usable; the message names it
     */
    public static LocalSystem start(LocalOptions options) throws IOException {
        EmulatorLog log = new LoggedEmulator(
                new Log(options.clock(), options.out(), Resolution.local().stackName()));
        Closing closing = new Closing();
        try {
            Optional<DataFolder> folder = Optional.empty();
            if (options.dataFolder().isPresent()) {
                folder = Optional.of(
                        closing.add(DataFolder.take(options.dataFolder().get())));
            }
            KeyHash administratorKey = folder.isPresent()
                    ? folder.get().administratorKey(options.administratorKey(), options.prefersKeptKey())
                    : KeyHash.ofKey(options.administratorKey());
            // The database takes longest to start: the rest starts meanwhile.
            CompletableFuture<EmulatedTables> opening = CompletableFuture.supplyAsync(() -> open(options));
            closing.add(() -> opening.thenAccept(EmulatedTables::close).join());
            WebServer server = closing.add(WebServer.bind(options.host(), options.port(), "http", log));
            LocalSystem system = new LocalSystem(options, administratorKey, opening, server, closing, log);
            if (folder.isPresent()) {
                folder.get().keep(administratorKey);
            }
            return system;
        } catch (IOException | RuntimeException e) {
            closing.closeAfter(e);
            throw e;
        }
    }

    /** The URL of the API without a slash at the end, for example {@code http://localhost:8080}. */
    public String baseUrl() {
        return baseUrl;
    }

    /** The hash of the administrator's key: of the options' key, or of the one that the data folder keeps. */
    public KeyHash administratorKey() {
        return administratorKey;
    }

    /**
     * Invokes a function.
     *
     * @param logicalId its name in the template
     * @param payload JSON in UTF-8
     * @return JSON in UTF-8
     * @throws IllegalArgumentException when the template has no such function
     * @throws FunctionFailedException when the function failed instead of answering
     */
    public byte[] invoke(String logicalId, byte[] payload) {
        return function(logicalId).invoke(payload);
    }

    private EmulatedFunction function(String logicalId) {
        return functions.stream()
                .filter(function -> function.definition().logicalId().equals(logicalId))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the template has no function " + logicalId));
    }

    /** Runs every schedule once, now, and returns when all are done. Failures are logged. */
    public void runSchedules() {
        schedules.runAll();
    }

    /**
     * Delivers the stream records written so far to their functions, now.
     *
     * @return the number of records that the functions processed; failed ones are retried by the next call
     */
    public int drainStreams() {
        return streams.drain();
    }

    /**
     * Delivers the visible messages to their functions, now.
     *
     * @return the number of messages that the functions processed; failed ones are visible again after the queue's visibility timeout
     */
    public int drainQueues() {
        return queueMappings.drain();
    }

    /** The number of messages in a queue, those in flight included; zero when there is no such queue. */
    public int queueSize(String queueName) {
        return queues.size(queueName);
    }

    /** Those of the last 1,000 events on the buses that a rule matched, oldest first, each as a target receives it. */
    public List<JsonNode> matchedEvents() {
        return List.copyOf(buses.events().matched());
    }

    /** The last 1,000 stream records and messages on which a function failed too often, oldest first. */
    public List<DeadLetters.DeadLetter> deadLetters() {
        return deadLetters.all();
    }

    /** The tables. */
    public DynamoDbClient dynamoDb() {
        return database.client();
    }

    /** Stops requests, then schedules and deliveries, then the database. Work in progress has a few seconds to finish. */
    @Override
    public void close() {
        server.close();
        closing.close();
    }

    private Map<String, Endpoint> localPages() {
        return Map.of(
                BusPage.PATH, new BusPage(buses.events()),
                DeadLettersPage.PATH, new DeadLettersPage(deadLetters));
    }

    /** By hand, an invocation ends before the request for it does. */
    private static Executor asynchronous(LocalOptions options, Closing closing) {
        if (!options.isAutomatic()) {
            return Runnable::run;
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(ASYNCHRONOUS_INVOCATIONS, DaemonThreads.named("invocation"));
        closing.add(threads::shutdown);
        return threads;
    }

    private static List<EmulatedFunction> functions(
            Stack stack, LocalOptions options, CompletableFuture<EmulatedTables> opening, AwsEndpoint aws)
            throws IOException {
        return LocalFunctions.start(
                stack.functions(),
                options,
                SecretsKey.of(options.dataFolder()),
                function -> EmulatedTables.later(opening.thenApply(database -> database.fairClient(function))::join),
                aws);
    }

    private static EmulatedTables open(LocalOptions options) {
        return options.dataFolder()
                .map(folder -> EmulatedTables.inFolder(
                        folder, reason -> new StorageBusyException("a write", new IOException(reason))))
                .orElseGet(EmulatedTables::inMemory);
    }

    private static List<TableDefinition> tables(Stack stack, LocalOptions options) {
        return options.itemsExpire()
                ? stack.tables()
                : stack.tables().stream().map(TableDefinition::withoutExpiry).toList();
    }

    private static EmulatedQueues queues(Stack stack, LocalOptions options) {
        return options.dataFolder()
                .map(folder -> EmulatedQueues.inFolder(stack.queues(), folder, options.clock()))
                .orElseGet(() -> EmulatedQueues.inMemory(stack.queues(), options.clock()));
    }

    private static Checkpoints checkpoints(LocalOptions options) {
        return options.dataFolder().map(Checkpoints::in).orElseGet(Checkpoints::nowhere);
    }
}
