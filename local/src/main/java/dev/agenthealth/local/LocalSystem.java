package dev.agenthealth.local;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.emulator.RuleTargets;
import dev.agenthealth.emulator.apigateway.ApiServer;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.deadletters.DeadLettersPage;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.eventbridge.BusPage;
import dev.agenthealth.emulator.eventbridge.EmulatedEventBridge;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.EmulatedLambda;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.scheduler.Schedules;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.EmulatedSqs;
import dev.agenthealth.emulator.sqs.QueueMappings;
import dev.agenthealth.emulator.streams.StreamMappings;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.local.data.CardKeyFile;
import dev.agenthealth.local.data.DataFolder;
import dev.agenthealth.local.data.QueueFolders;
import dev.agenthealth.local.data.SecretsKey;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The template's system, running in this JVM. Thread-safe.
 *
 * <p>With {@link LocalOptions#byHand} and its own clock it is deterministic. Then only requests, {@link #runSchedules}, {@link
 * #drainStreams} and {@link #drainQueues} have effects.
 */
public final class LocalSystem implements AutoCloseable {

    private static final int ASYNCHRONOUS_INVOCATIONS = 4;

    /** The free bytes on the disk below which writing requests are refused. */
    static final long REQUEST_FREE_BYTES = 64L * 1024 * 1024;

    /** The free bytes on the disk below which background work cannot write. */
    static final long BACKGROUND_FREE_BYTES = 16L * 1024 * 1024;

    private final WebServer server;
    private final OpenResources resources;
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
    private final Database stored;
    private final List<String> warnings = new ArrayList<>();

    /** Work before the first request, which may store something. */
    @FunctionalInterface
    private interface BeforeRequests {

        void run() throws IOException;
    }

    private LocalSystem(
            LocalOptions options,
            KeyHash administratorKey,
            CompletableFuture<EmbeddedDynamoDb> opening,
            WebServer server,
            OpenResources resources,
            BeforeRequests beforeRequests,
            EmulatorLog log)
            throws IOException {
        this.administratorKey = administratorKey;
        this.server = server;
        this.resources = resources;
        this.baseUrl = LocalStack.baseUrl(options.host(), server.port());
        Map<String, String> selfCheckAddresses = new HashMap<>();
        selfCheckAddresses.put(FunctionSettings.SELF_CHECK_PUBLIC_URL.name(), ownWay(server));
        Optional<WebServer> urlServer = Optional.empty();
        if (options.heartbeatUrlPort() != LocalOptions.NO_PORT) {
            urlServer = Optional.of(
                    resources.add(WebServer.bind(options.host(), options.heartbeatUrlPort(), "function-url", log)));
            selfCheckAddresses.put(FunctionSettings.SELF_CHECK_HEARTBEAT_URL.name(), ownWay(urlServer.get()));
        }
        Stack stack = LocalStack.of(
                options.template(),
                administratorKey,
                baseUrl,
                urlServer.map(bound -> LocalStack.baseUrl(options.host(), bound.port())));
        this.database = new EmulatedTables(opening.join(), stack.tables());
        List<WebServer> servers =
                Stream.concat(Stream.of(server), urlServer.stream()).toList();
        database.beforeWaiting(() -> servers.forEach(WebServer::beforeWaiting));
        servers.forEach(each -> each.commits(database));
        Map<String, String> keys = Map.of(
                FunctionSettings.SECRETS_LOCAL_KEY.name(),
                SecretsKey.of(options.dataFolder()).base64(),
                FunctionSettings.CARD_LOCAL_KEY.name(),
                CardKeyFile.read(options.dataFolder()));
        Executor asynchronous = asynchronous(options, resources);
        this.queues = queues(stack, database, options);
        // Functions take clients of services that invoke functions.
        CompletableFuture<Map<String, EmulatedFunction>> byName = new CompletableFuture<>();
        CompletableFuture<RuleTargets> targets = new CompletableFuture<>();
        this.buses = new EventBuses(stack.eventBuses(), stack.rules(), (target, envelopes) -> targets.join()
                .deliver(target, envelopes));
        this.functions = LocalFunctions.of(
                stack.functions(),
                options,
                selfCheckAddresses,
                keys,
                new LocalFunctions.Services(
                        function -> database.client(freeBytes(function)),
                        database::together,
                        new EmulatedEventBridge(buses, options.clock()),
                        new EmulatedLambda(byName::join, asynchronous, log),
                        new EmulatedSqs(queues)));
        Map<String, String> names = functions.get(0).definition().environment();
        this.stored = new Database(
                database.client(),
                new Tables(
                        names.get(FunctionSettings.PULSES_TABLE.name()),
                        names.get(FunctionSettings.REGISTRY_TABLE.name())),
                options.clock(),
                options.pause(),
                StorageMeter.withoutUnits());
        byName.complete(functions.stream()
                .collect(Collectors.toMap(function -> function.definition().name(), Function.identity())));
        targets.complete(new RuleTargets(functions, stack.rules(), queues, asynchronous, options.out(), log));
        beforeRequests.run();
        server.start(new LocalPages(
                localPages(), administratorKey, new ApiServer(functions, Shares::of, options.clock(), log)));
        for (String logicalId : stack.functionUrls().values()) {
            urlServer
                    .orElseThrow()
                    .start(ApiServer.ofFunctionUrl(function(logicalId), Shares::of, options.clock(), log));
        }
        // A request that arrives earlier creates the handler that it needs.
        LocalFunctions.createHandlers(functions);
        this.streams = resources.add(StreamMappings.of(functions, database, queues, deadLetters, options.clock(), log));
        this.queueMappings = resources.add(new QueueMappings(functions, queues, deadLetters, options.clock(), log));
        this.schedules = resources.add(new Schedules(functions, options.sweepPeriod(), options.clock(), log));
        if (options.isAutomatic()) {
            database.maintain(failure -> log.failure("database_maintenance_failed", "database", failure));
            streams.start();
            queueMappings.start();
            schedules.start();
        }
    }

    /**
     * Starts the system; it answers requests when this returns.
     *
     * @throws IOException if the data folder or the address is not available ({@link java.net.BindException} if the address is in use)
     * @throws RuntimeException if the template or a handler is not usable; the message names it
     */
    public static LocalSystem start(LocalOptions options) throws IOException {
        EmulatorLog log = new LoggedEmulator(
                new Log(options.clock(), options.out(), Resolution.local().stackName()));
        OpenResources resources = new OpenResources();
        try {
            Optional<DataFolder> folder = Optional.empty();
            if (options.dataFolder().isPresent()) {
                folder = Optional.of(
                        resources.add(DataFolder.take(options.dataFolder().get())));
            }
            KeyHash administratorKey = folder.isPresent()
                    ? folder.get().administratorKey(options.administratorKey(), options.prefersKeptKey())
                    : KeyHash.ofKey(options.administratorKey());
            List<String> warnings = new ArrayList<>();
            if (folder.isPresent()) {
                warnings.addAll(folder.get().protect());
                folder.get().shortage(REQUEST_FREE_BYTES).ifPresent(warnings::add);
            }
            Optional<DataFolder> taken = folder;
            CompletableFuture<EmbeddedDynamoDb> opening = options.database()
                    .map(CompletableFuture::completedFuture)
                    .orElseGet(() -> CompletableFuture.supplyAsync(() -> open(taken, options)));
            if (options.database().isEmpty()) {
                resources.add(() -> opening.thenAccept(EmbeddedDynamoDb::close).join());
            }
            WebServer server = resources.add(WebServer.bind(options.host(), options.port(), "http", log));
            BeforeRequests keepFolder = () -> {
                if (taken.isPresent()) {
                    taken.get().keep(administratorKey);
                }
            };
            LocalSystem system =
                    new LocalSystem(options, administratorKey, opening, server, resources, keepFolder, log);
            system.warnings.addAll(warnings);
            return system;
        } catch (IOException | RuntimeException e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /** Returns the URL of the API without a trailing slash, for example {@code http://localhost:8080}. */
    public String baseUrl() {
        return baseUrl;
    }

    /** Returns warnings for the operator about the data folder. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Returns the hash of the administrator's key, from the options or from the data folder. */
    public KeyHash administratorKey() {
        return administratorKey;
    }

    /**
     * Invokes a function.
     *
     * @param logicalId its name in the template
     * @param payload JSON in UTF-8
     * @return JSON in UTF-8
     * @throws IllegalArgumentException if the template has no such function
     * @throws FunctionFailedException if the function failed instead of answering
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

    /** Runs every schedule once, now, and returns after the last run. Failures are logged. */
    public void runSchedules() {
        schedules.runAll();
    }

    /**
     * Delivers the stream records written so far to their functions, now.
     *
     * @return the number of records that the functions processed; the next call retries failed records
     */
    public int drainStreams() {
        return streams.drain();
    }

    /**
     * Delivers the visible messages to their functions, now.
     *
     * @return the number of messages that the functions processed; failed messages are visible again after the queue's visibility timeout
     */
    public int drainQueues() {
        return queueMappings.drain();
    }

    /** Returns the number of messages in a queue, including messages in flight; zero if the queue does not exist. */
    public int queueSize(String queueName) {
        return queues.size(queueName);
    }

    /**
     * Returns the events that a rule matched, among the last 1,000 events on the buses. Oldest first, in the form that a target receives.
     */
    public List<JsonNode> matchedEvents() {
        return List.copyOf(buses.events().matched());
    }

    /** Returns the last 1,000 stream records and messages on which a function failed too often, oldest first. */
    public List<DeadLetters.DeadLetter> deadLetters() {
        return deadLetters.all();
    }

    /** Returns the client of the tables. */
    public DynamoDbClient dynamoDb() {
        return database.client();
    }

    /** Returns the tables for the stores of the functions. */
    public Database stored() {
        return stored;
    }

    /** Stops requests, then schedules and deliveries, then the database. Work in progress has a few seconds to finish. */
    @Override
    public void close() {
        server.close();
        resources.close();
    }

    private Map<String, Endpoint> localPages() {
        return Map.of(
                BusPage.PATH, new BusPage(buses.events()),
                DeadLettersPage.PATH, new DeadLettersPage(deadLetters));
    }

    /** Returns the executor of asynchronous invocations. If the system runs by hand, an invocation ends before its request. */
    private static Executor asynchronous(LocalOptions options, OpenResources resources) {
        if (!options.isAutomatic()) {
            return Runnable::run;
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(ASYNCHRONOUS_INVOCATIONS, DaemonThreads.named("invocation"));
        resources.add(threads::shutdown);
        return threads;
    }

    private static String ownWay(WebServer server) throws IOException {
        return "http://127.0.0.1:" + server.openOwnPort();
    }

    private static EmbeddedDynamoDb open(Optional<DataFolder> folder, LocalOptions options) {
        if (folder.isEmpty()) {
            return EmbeddedDynamoDb.inTemporaryFile(options.clock());
        }
        Settings.Sync sync = options.syncsHeartbeats() ? Settings.Sync.ALWAYS : Settings.Sync.MOST;
        try {
            return folder.get().open(sync, options.usableBytes(), options.clock());
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /**
     * Returns the free bytes that a function's writes need. Requests are refused earlier than background work, so that the sweep still
     * finds missing heartbeats.
     */
    private static long freeBytes(FunctionDefinition function) {
        return function.routes().isEmpty() ? BACKGROUND_FREE_BYTES : REQUEST_FREE_BYTES;
    }

    private static EmulatedQueues queues(Stack stack, EmulatedTables database, LocalOptions options)
            throws IOException {
        if (options.dataFolder().isEmpty()) {
            return EmulatedQueues.inMemory(stack.queues(), options.clock());
        }
        QueueFolders.moveInto(database.messages(), options.dataFolder().get());
        return EmulatedQueues.stored(stack.queues(), database.messages(), options.clock());
    }
}
