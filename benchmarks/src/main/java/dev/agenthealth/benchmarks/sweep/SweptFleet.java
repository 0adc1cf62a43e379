package dev.agenthealth.benchmarks.sweep;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.benchmarks.TemplateEnvironment;
import dev.agenthealth.functions.SweepFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestTables;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * The sweep function on a table. Shards run one after another in another instance of the function. The time of each shard is therefore
 * measured with free processors.
 */
final class SweptFleet {

    private static final Duration TIMEOUT = Duration.ofMinutes(14);

    /** The function that a pass invokes besides itself. */
    private static final String NOTIFICATIONS = "notifications";

    private static final InvokeResponse NOTIFIED =
            InvokeResponse.builder().statusCode(202).build();

    private final SweepFunction function;
    private final SweepFunction shardFunction;
    private int shards;
    private long longestNanos;

    /** @param shared true if passes fan out to shards as by default, false if one process handles any pass */
    SweptFleet(DynamoDbClient dynamoDb, boolean shared) {
        Wiring wiring = wiring(dynamoDb, this::lambda);
        function = new SweepFunction(wiring);
        shardFunction = new SweepFunction(wiring);
        RuntimeConfiguration usual = RuntimeConfiguration.DEFAULT;
        ConfigurationStore configuration = new ConfigurationStore(Database.of(wiring));
        configuration.replace(
                configuration.current(),
                shared
                        ? usual
                        : usual.with(RuntimeSettings.SWEEP_FAN_OUT_AGENTS, RuntimeSettings.SWEEP_FAN_OUT_AGENTS.max()));
    }

    /** Runs a pass and returns the number of counted agents. */
    long pass() {
        Map<?, ?> numbers = (Map<?, ?>) ((List<?>) function.handleRequest(Map.of(), context())).get(0);
        return ((Number) numbers.get("monitored")).longValue();
    }

    synchronized void resetPortions() {
        shards = 0;
        longestNanos = 0;
    }

    /** Returns the number of shards since the reset, and the time of the longest shard. */
    synchronized String shards() {
        return shards == 0 ? "–" : String.format(Locale.ROOT, "%d, %.2f s", shards, longestNanos / 1e9);
    }

    private synchronized InvokeResponse shard(String event) {
        long before = System.nanoTime();
        String answer = LambdaRuntime.invoke(shardFunction, event, context());
        longestNanos = Math.max(longestNanos, System.nanoTime() - before);
        shards++;
        return InvokeResponse.builder().payload(SdkBytes.fromUtf8String(answer)).build();
    }

    @SuppressWarnings("unchecked")
    private LambdaClient lambda() {
        return (LambdaClient) Proxy.newProxyInstance(
                LambdaClient.class.getClassLoader(), new Class<?>[] {LambdaClient.class}, (proxy, method, values) -> {
                    InvokeRequest.Builder request = InvokeRequest.builder();
                    ((Consumer<InvokeRequest.Builder>) values[0]).accept(request);
                    InvokeRequest built = request.build();
                    return built.functionName().equals(NOTIFICATIONS)
                            ? NOTIFIED
                            : shard(built.payload().asUtf8String());
                });
    }

    private static Wiring wiring(DynamoDbClient dynamoDb, Supplier<LambdaClient> lambda) {
        Map<String, String> environment = TemplateEnvironment.of(
                "SweepFunction",
                Map.of(
                        "PULSES_TABLE",
                        TestTables.PULSES,
                        "REGISTRY_TABLE",
                        TestTables.REGISTRY,
                        "PROBE_FUNCTION",
                        "none",
                        "PROBE_QUEUE_URL",
                        "none",
                        "NOTIFICATION_FUNCTION",
                        NOTIFICATIONS,
                        "SWEEP_PERIOD_SECONDS",
                        "1"));
        return Wiring.of(environment).dynamoDb(() -> dynamoDb).lambda(lambda).build();
    }

    private static Context context() {
        return TestContext.lasting(Clock.systemUTC(), TIMEOUT);
    }
}
