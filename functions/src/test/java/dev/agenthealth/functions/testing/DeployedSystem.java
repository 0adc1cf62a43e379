package dev.agenthealth.functions.testing;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiExchange;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.Permission;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestEventBridge;
import dev.agenthealth.testkit.TestJson;
import dev.agenthealth.testkit.TestKms;
import dev.agenthealth.testkit.TestLambda;
import dev.agenthealth.testkit.TestPublicApi;
import dev.agenthealth.testkit.TestSnapshots;
import dev.agenthealth.testkit.TestSns;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The template's functions as deployed: found by their handler's name, each with exactly the environment of the template,
 * and each with its own client that records what it uses.
 */
public final class DeployedSystem implements AutoCloseable {

    /** Parsed once: the template is long, and many tests use it. */
    private static final Template TEMPLATE = Template.find();

    private final TestTables tables = TestTables.withStream();
    private final TestDynamoDb dynamoDb = new TestDynamoDb(tables.dynamoDb());
    private final RequestMeter ledger = dynamoDb.meter();
    private final MutableClock clock = MutableClock.atExampleTime();
    private final TestEventBridge eventBridge;
    private final TestLambda lambda;
    private final TestSqs sqs;
    private final TestKms kms = new TestKms();
    private final TestSns sns = new TestSns();
    private final TestPublicApi publicApi = new TestPublicApi(this::sendHeartbeat);
    private final Stack stack;
    private final Boundary boundary;
    private final List<FunctionDefinition> functions;
    private final Map<String, Set<Permission>> uses = new HashMap<>();
    private final Map<String, TestSnapshots> snapshots = new HashMap<>();
    private final Map<String, RequestHandler<?, ?>> started = new HashMap<>();

    /** Deploys with {@link TestSystem#ADMINISTRATOR_KEY}. */
    public DeployedSystem() {
        this(TestSystem.ADMINISTRATOR_KEY);
    }

    /** Deploys with another administrator's key. */
    public DeployedSystem(String administratorKey) {
        this(administratorKey, (logicalId, usual) -> usual);
    }

    /** Deploys functions that meet the world through a boundary. */
    public DeployedSystem(String administratorKey, Boundary boundary) {
        this.boundary = boundary;
        stack = TEMPLATE.stack(Resolution.local()
                .withParameter("AdminKeySha256", KeyHash.ofKey(administratorKey).hex())
                .withAttribute("HttpApi", "ApiEndpoint", publicApi.url()));
        functions = stack.functions();
        eventBridge = TestEventBridge.of(stack.eventBuses());
        sqs = new TestSqs(stack.queues().stream().map(QueueDefinition::url).toArray(String[]::new));
        lambda = new TestLambda(
                functions.stream().map(FunctionDefinition::logicalId).toList(), this::invoke);
    }

    /** What stands between an instance of a function and its clock and clients. */
    @FunctionalInterface
    public interface Boundary {

        /** The wiring of a new instance of a function. */
        Wiring around(String logicalId, Wiring usual);
    }

    /** The template, resolved for this deployment. */
    public Stack stack() {
        return stack;
    }

    /** The template's functions, resolved for this deployment. */
    public List<FunctionDefinition> functions() {
        return functions;
    }

    public FunctionDefinition function(String logicalId) {
        return functions.stream()
                .filter(function -> function.logicalId().equals(logicalId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the template has no function " + logicalId));
    }

    /** The function, started on first use and primed as for a snapshot. */
    public RequestHandler<?, ?> start(String logicalId) {
        synchronized (started) {
            return started.computeIfAbsent(
                    logicalId, id -> start(id, function(id).environment()));
        }
    }

    /** Uses a new instance of the function with another environment from now on. */
    public RequestHandler<?, ?> restart(String logicalId, Map<String, String> environment) {
        RequestHandler<?, ?> restarted = start(logicalId, environment);
        synchronized (started) {
            started.put(logicalId, restarted);
        }
        return restarted;
    }

    /** A new instance of the function with another environment. */
    public RequestHandler<?, ?> start(String logicalId, Map<String, String> environment) {
        Set<Permission> used;
        synchronized (uses) {
            used = uses.computeIfAbsent(logicalId, id -> ConcurrentHashMap.newKeySet());
        }
        DynamoDbClient recording = new TestDynamoDb(dynamoDb).recordPermissions(used);
        TestSnapshots snapshots = snapshots(logicalId);
        Wiring wiring = Wiring.of(environment)
                .clock(clock)
                .pause(clock::advance)
                .dynamoDb(() -> recording)
                .eventBridge(eventBridge::client)
                .lambda(lambda::client)
                .sqs(sqs::client)
                .kms(kms::client)
                .sns(sns::client)
                .snapshots(snapshots)
                .build();
        RequestHandler<?, ?> function = made(logicalId, boundary.around(logicalId, wiring));
        snapshots.take();
        return function;
    }

    /** The snapshots that are taken of this function. */
    public TestSnapshots snapshots(String logicalId) {
        synchronized (snapshots) {
            return snapshots.computeIfAbsent(logicalId, id -> new TestSnapshots());
        }
    }

    private RequestHandler<?, ?> made(String logicalId, Wiring wiring) {
        try {
            return (RequestHandler<?, ?>) Class.forName(function(logicalId).handlerClass())
                    .getConstructor(Wiring.class)
                    .newInstance(wiring);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Invokes the function with JSON, as Lambda does. A request of the API is compared with its description. */
    public String invoke(String logicalId, String json) {
        String answer = LambdaRuntime.invoke(start(logicalId), json, TestContext.of(logicalId));
        JsonNode event = TestJson.read(json);
        if (event.has("routeKey")) {
            ApiContract.check(ApiExchange.ofEvents(event, TestJson.read(answer)));
        }
        return answer;
    }

    /** All functions behind the HTTP API. */
    public TestApi api() {
        return new TestApi(functions.stream()
                .filter(function -> !function.routes().isEmpty())
                .map(function -> (HttpFunction) start(function.logicalId()))
                .toList());
    }

    /** The DynamoDB permissions that the function has used so far. */
    public Set<Permission> uses(String logicalId) {
        return new TreeSet<>(uses.getOrDefault(logicalId, Set.of()));
    }

    public MutableClock clock() {
        return clock;
    }

    public TestTables tables() {
        return tables;
    }

    public TestDynamoDb faults() {
        return dynamoDb;
    }

    /** The DynamoDB units consumed by all functions together. */
    public RequestMeter ledger() {
        return ledger;
    }

    public TestEventBridge eventBridge() {
        return eventBridge;
    }

    public TestLambda lambda() {
        return lambda;
    }

    public TestSqs sqs() {
        return sqs;
    }

    public TestKms kms() {
        return kms;
    }

    public TestSns sns() {
        return sns;
    }

    public TestPublicApi publicApi() {
        return publicApi;
    }

    private int sendHeartbeat(String path, String apiKey, String body) {
        return new TestApi(List.of((HttpFunction) start("HeartbeatFunction")))
                .post(path)
                .key(apiKey)
                .body(body)
                .send()
                .status();
    }

    @Override
    public void close() {
        publicApi.close();
        eventBridge.close();
        tables.close();
    }
}
