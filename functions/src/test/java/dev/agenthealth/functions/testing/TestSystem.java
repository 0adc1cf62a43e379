package dev.agenthealth.functions.testing;

import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.TelemetryFunction;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.SeparateProcesses;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.RandomTroubles;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * The functions with their own tables and a clock that the test advances. Keys are issued on demand; the keys of the constants
 * exist from the start.
 */
public final class TestSystem implements AutoCloseable {

    /** Knows no host name, so that no test reads the card of an agent elsewhere. */
    public static final NameResolver NO_NAMES = host -> {
        throw new UnknownHostException(host);
    };

    /** The stack to which all metrics belong. */
    public static final String STACK = "test-stack";

    public static final String ADMINISTRATOR_KEY = "test-administrator-key";
    public static final String AGENT_KEY = "test-agent-key";
    public static final String OTHER_AGENT_KEY = "test-other-agent-key";
    public static final String COORDINATOR_KEY = "test-coordinator-key";

    private static final String INVOCATION_QUEUE = "https://sqs.us-east-1.amazonaws.com/000000000000/InvocationQueue";

    /** The environment that the template gives the function that invokes agents. */
    public static final Map<String, String> INVOCATIONS =
            Map.of("INVOCATION_QUEUE_URL", INVOCATION_QUEUE, "ACCOUNT_CONCURRENCY", "64");

    private static final String NOTIFICATION_QUEUE = INVOCATION_QUEUE.replace("Invocation", "Notification");
    private static final String DEAD_LETTERS = INVOCATION_QUEUE.replace("InvocationQueue", "NotificationDeadLetters");

    private static final String PROBE_QUEUE = INVOCATION_QUEUE.replace("Invocation", "Probe");

    /** The environment that the template gives the function that notifies. */
    public static final Map<String, String> NOTIFICATIONS = Map.of(
            "NOTIFICATION_QUEUE_URL",
            NOTIFICATION_QUEUE,
            "NOTIFICATION_DEAD_LETTERS_URL",
            DEAD_LETTERS,
            "PUBLIC_URL",
            "https://registry.example");

    private final TestTables tables;
    private final MutableClock clock = MutableClock.atExampleTime();
    private final TestDynamoDb dynamoDb;
    private final RequestMeter meter;
    private final RandomTroubles troubles;
    private final TestSqs sqs = new TestSqs(INVOCATION_QUEUE, NOTIFICATION_QUEUE, DEAD_LETTERS, PROBE_QUEUE);
    private final Pause pause;
    private final TestApi api;

    /** A system on new tables without a stream. */
    public TestSystem() {
        this(TestTables.create());
    }

    /** A system on these tables, which it closes. */
    public TestSystem(TestTables tables) {
        this(tables, MutableClock::advance);
    }

    /** A system whose clock stands still while a request is retried, so that its retries never end without success. */
    public static TestSystem withoutPauses() {
        return new TestSystem(TestTables.create(), (clock, duration) -> {});
    }

    private TestSystem(TestTables tables, BiConsumer<MutableClock, Duration> pause) {
        this.tables = tables;
        this.pause = duration -> pause.accept(clock, duration);
        dynamoDb = new TestDynamoDb(tables.dynamoDb());
        meter = dynamoDb.meter();
        troubles = dynamoDb.troubles(clock);
        Wiring wiring = wiring(Map.of());
        tables.dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(TestTables.REGISTRY, Keys.ITEMS)));
        api = new TestApi(
                List.of(
                        new RegistryFunction(wiring),
                        new HeartbeatFunction(wiring),
                        new HealthFunction(wiring, NO_NAMES),
                        new GatewayFunction(wiring(INVOCATIONS)),
                        new TelemetryFunction(wiring),
                        new AdministrationFunction(wiring)),
                grants()::begin);
        meter.reset();
    }

    /** A sweep of this system with the template's environment; it does not divide passes. */
    public Sweep sweep() {
        return new Sweep(wiring(Map.of("PUBLIC_URL", "http://127.0.0.1:1", "SWEEP_PERIOD_SECONDS", "60")));
    }

    /** A log as the functions use it. */
    public Log log() {
        return wiring(Map.of()).log();
    }

    /** The wiring of a function with these environment variables besides the usual ones. */
    public Wiring wiring(Map<String, String> more) {
        return wiring(
                more,
                () -> {
                    throw new IllegalStateException("this test has no bus");
                },
                () -> {
                    throw new IllegalStateException("this test has no other functions");
                });
    }

    /** The wiring of a function that uses other services as well. */
    public Wiring wiring(
            Map<String, String> more, Supplier<EventBridgeClient> eventBridge, Supplier<LambdaClient> lambda) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "STACK_NAME",
                STACK,
                "LOG_SAMPLE_ONE_IN",
                "100",
                "PULSES_TABLE",
                TestTables.PULSES,
                "REGISTRY_TABLE",
                TestTables.REGISTRY,
                "MARK_PARTITIONS",
                "8",
                "HEARTBEAT_STRETCH_PERCENT",
                "100",
                "EVENT_BUS",
                "bus",
                "ADMIN_KEY_SHA256",
                KeyHash.ofKey(ADMINISTRATOR_KEY).hex()));
        environment.put("NOTE_KEY_USES", "false");
        environment.put("EVENT_RETENTION_DAYS", "90");
        environment.put("AUDIT_RETENTION_DAYS", "400");
        environment.put("PROBE_QUEUE_URL", PROBE_QUEUE);
        environment.put("PROBE_FUNCTION", "ProbeFunction");
        environment.put("INVOCATION_QUEUE_URL", INVOCATION_QUEUE);
        environment.put(
                FunctionSettings.SECRETS_LOCAL_KEY.name(), Base64.getEncoder().encodeToString(new byte[32]));
        environment.putAll(more);
        return Wiring.of(environment)
                .clock(clock)
                .pause(pause())
                .dynamoDb(this::dynamoDb)
                .eventBridge(eventBridge)
                .lambda(lambda)
                .sqs(sqs::client)
                .process(SeparateProcesses.state())
                .build();
    }

    public Pause pause() {
        return pause;
    }

    /** The client that all functions use; it counts requests, can inject faults and can have the troubles of DynamoDB. */
    public DynamoDbClient dynamoDb() {
        return dynamoDb;
    }

    public TestDynamoDb faults() {
        return dynamoDb;
    }

    /** The troubles of the client that all functions use; none before they are started. */
    public RandomTroubles troubles() {
        return troubles;
    }

    public RequestMeter meter() {
        return meter;
    }

    /** The queues that all functions send to. */
    public TestSqs sqs() {
        return sqs;
    }

    public TestTables tables() {
        return tables;
    }

    public MutableClock clock() {
        return clock;
    }

    public TestApi api() {
        return api;
    }

    /** The API functions, using the same tables through another client. */
    public TestApi apiThrough(DynamoDbClient dynamoDb) {
        return apiThrough(dynamoDb, Map.of());
    }

    /** The same with more environment variables. */
    public TestApi apiThrough(DynamoDbClient dynamoDb, Map<String, String> more) {
        Wiring usual = wiring(more);
        Wiring wiring = usual.toBuilder().dynamoDb(() -> dynamoDb).build();
        return new TestApi(
                List.of(
                        new RegistryFunction(wiring),
                        new HeartbeatFunction(wiring),
                        new HealthFunction(wiring, NO_NAMES),
                        new TelemetryFunction(wiring),
                        new AdministrationFunction(wiring)),
                grants()::begin);
    }

    private TestGrants grants() {
        return new TestGrants(tables.dynamoDb());
    }

    /** The tables through the client that all functions use; pauses advance the clock. */
    public Database database() {
        return databaseThrough(dynamoDb());
    }

    /** The tables through another client. */
    public Database databaseThrough(DynamoDbClient dynamoDb) {
        Tables names = new Tables(TestTables.PULSES, TestTables.REGISTRY);
        return new Database(dynamoDb, names, clock, pause(), new StorageMeter());
    }

    /** Issues a key with a known text. */
    public void addKey(String apiKey, Role role, Set<String> roleIds) {
        addKey(apiKey, role, roleIds, KeyLimits.NONE);
    }

    /** Issues a key with a known text and limits. */
    public void addKey(String apiKey, Role role, Set<String> roleIds, KeyLimits limits) {
        new KeyStore(database()).add(key(apiKey, role, roleIds, clock.instant()).limitedTo(limits));
    }

    /** The id of a key with a known text. */
    public static String keyId(String apiKey) {
        return "key-" + apiKey;
    }

    private static ApiKey key(String apiKey, Role role, Set<String> roleIds, Instant createdAt) {
        return ApiKey.issued(
                keyId(apiKey), KeyHash.ofKey(apiKey), role, apiKey, roleIds, ProviderGrants.NONE, createdAt);
    }

    @Override
    public void close() {
        try {
            troubles.close();
        } finally {
            tables.close();
        }
    }

    /** The items of the initial keys, encoded once because almost every test stores them. */
    private static final class Keys {

        private static final List<WriteRequest> ITEMS = items();

        private static List<WriteRequest> items() {
            Instant now = MutableClock.atExampleTime().instant();
            try (TestTables tables = TestTables.create()) {
                KeyStore keys = new KeyStore(new Database(
                        tables.dynamoDb(),
                        new Tables(TestTables.PULSES, TestTables.REGISTRY),
                        MutableClock.atExampleTime(),
                        duration -> {},
                        new StorageMeter()));
                keys.add(key(AGENT_KEY, Role.AGENT, Set.of(), now));
                keys.add(key(OTHER_AGENT_KEY, Role.AGENT, Set.of(), now));
                keys.add(key(COORDINATOR_KEY, Role.COORDINATOR, Set.of(), now));
                return TableContents.of(tables).items().stream()
                        .map(item -> WriteRequest.builder()
                                .putRequest(put -> put.item(item))
                                .build())
                        .toList();
            }
        }
    }
}
