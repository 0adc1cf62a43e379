package dev.agenthealth.benchmarks.coldstart;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.benchmarks.TemplateEnvironment;
import dev.agenthealth.benchmarks.heartbeat.HeartbeatPath;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.TestContext;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.crac.Resource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The heartbeat function in its own process, which prints the processor time of its priming and of its first requests, in milliseconds. */
final class PrimedProcess {

    private static final int FIRST = 100;
    private static final int WARM = 1_000;
    private static final int REQUESTS = 3_000;

    private PrimedProcess() {}

    /** @param arguments {@code primed} or another word, and the port of DynamoDB */
    public static void main(String[] arguments) throws Exception {
        List<Resource> hooks = new ArrayList<>();
        HeartbeatFunction function = new HeartbeatFunction(wiring(Integer.parseInt(arguments[1]), hooks));
        long before = processorNanos();
        if (arguments[0].equals("primed")) {
            for (Resource hook : hooks) {
                hook.beforeCheckpoint(null);
            }
        }
        double priming = (processorNanos() - before) / 1e6;
        Context context = TestContext.of("HeartbeatFunction");
        double[] millis = new double[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            String event = HeartbeatPath.event(Instant.now());
            long started = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            String answer = LambdaRuntime.invoke(function, event, context);
            millis[i] = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - started) / 1e6;
            if (!answer.contains("\"statusCode\":200")) {
                throw new IllegalStateException(answer);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%n%.2f %.2f %.2f %.2f %.2f %.2f%n",
                priming,
                millis[0],
                millis[1],
                mean(Arrays.copyOfRange(millis, 2, 10)),
                mean(Arrays.copyOfRange(millis, 10, FIRST)),
                mean(Arrays.copyOfRange(millis, WARM, REQUESTS)));
        System.exit(0);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static Wiring wiring(int port, List<Resource> hooks) {
        return Wiring.of(TemplateEnvironment.of("HeartbeatFunction", Map.of("LOG_SAMPLE_ONE_IN", "1000000")))
                .dynamoDb(() -> DynamoDbClient.builder()
                        .endpointOverride(URI.create("http://127.0.0.1:" + port))
                        .region(Region.US_EAST_1)
                        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key")))
                        .httpClientBuilder(UrlConnectionHttpClient.builder())
                        .overrideConfiguration(c ->
                                c.apiCallTimeout(Duration.ofSeconds(5)).retryStrategy(AwsRetryStrategy.doNotRetry()))
                        .build())
                .snapshots(hooks::add)
                .build();
    }
}
