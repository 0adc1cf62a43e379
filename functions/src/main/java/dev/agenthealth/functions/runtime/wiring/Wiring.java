package dev.agenthealth.functions.runtime.wiring;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Sample;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crac.Core;
import org.crac.Resource;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.LambdaClientBuilder;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The environment of a function: its variables, the clock and the clients of AWS services.
 *
 * <p>Each client is created once, on first use, so that a function loads only the clients that it needs. A snapshot may contain an
 * instance, because nothing here is random, time-dependent or connected.
 *
 * @param environment the environment variables of the function
 * @param clock the server's clock, the only clock that rules read
 * @param pause waits between two attempts
 * @param dynamoDb returns the DynamoDB client
 * @param eventBridge returns the EventBridge client
 * @param lambda returns the Lambda client
 * @param sqs returns the SQS client
 * @param kms returns the KMS client
 * @param sns returns the SNS client
 * @param storageMeter counts the DynamoDB usage of each request
 * @param snapshots registers work to run before a snapshot of the process is taken
 * @param mailServer sends e-mail if the installation has no Amazon SNS; empty if none is configured
 * @param process the objects that all handlers of the process share
 */
public record Wiring(
        Map<String, String> environment,
        Clock clock,
        Pause pause,
        Supplier<DynamoDbClient> dynamoDb,
        Supplier<EventBridgeClient> eventBridge,
        Supplier<LambdaClient> lambda,
        Supplier<SqsClient> sqs,
        Supplier<KmsClient> kms,
        Supplier<SnsClient> sns,
        StorageMeter storageMeter,
        Consumer<Resource> snapshots,
        Optional<MailServer> mailServer,
        ProcessState process) {

    /** The property that the JDK reads when it keeps its first connection. */
    static final String KEEP_ALIVE_SECONDS = "http.keepAlive.time.server";

    // With the time limit of storage.dynamo.RequestRetries, a write ends within the 5 s by which the feed lags.
    private static final Duration DYNAMODB_ATTEMPT = Duration.ofMillis(1_000);
    private static final Duration DYNAMODB_CALL = Duration.ofMillis(2_500);

    // This limit leaves the publisher time to report rejected events if the bus hangs.
    private static final Duration EVENT_BUS_ATTEMPT = Duration.ofSeconds(3);
    private static final Duration EVENT_BUS_CALL = Duration.ofSeconds(10);

    // A caller waits while a message is sent. The receiver drops duplicates.
    private static final Duration QUEUE_ATTEMPT = Duration.ofMillis(1_500);
    private static final Duration QUEUE_CALL = Duration.ofSeconds(4);

    // The wait is longer than a worker may run: a retry after a time-out would start the same work again.
    private static final Duration WORKER_ANSWER = Duration.ofSeconds(65);

    public Wiring {
        environment = Map.copyOf(environment);
        // Timestamps are stored in milliseconds; a finer timestamp would change when it is stored.
        clock = Clock.tick(clock, Duration.ofMillis(1));
        dynamoDb = once(dynamoDb);
        eventBridge = once(eventBridge);
        lambda = once(lambda);
        sqs = once(sqs);
        kms = once(kms);
        sns = once(sns);
    }

    private static <C> Supplier<C> once(Supplier<C> create) {
        return new Supplier<>() {

            private C created;

            @Override
            public synchronized C get() {
                if (created == null) {
                    created = create.get();
                }
                return created;
            }
        };
    }

    /**
     * The variable that says whether the process streams: it sends each part of a response when the function writes it. API Gateway and
     * Lambda's Java runtime do not stream.
     */
    public static final String STREAMS = "STREAMS";

    /** Returns whether the process streams responses. */
    public boolean streams() {
        return "true".equals(environment.getOrDefault(STREAMS, ""));
    }

    /** Creates a wiring without a mail server, which deployed functions do not have. */
    public Wiring(
            Map<String, String> environment,
            Clock clock,
            Pause pause,
            Supplier<DynamoDbClient> dynamoDb,
            Supplier<EventBridgeClient> eventBridge,
            Supplier<LambdaClient> lambda,
            Supplier<SqsClient> sqs,
            Supplier<KmsClient> kms,
            Supplier<SnsClient> sns,
            StorageMeter storageMeter,
            Consumer<Resource> snapshots) {
        this(
                environment,
                clock,
                pause,
                dynamoDb,
                eventBridge,
                lambda,
                sqs,
                kms,
                sns,
                storageMeter,
                snapshots,
                Optional.empty(),
                new ProcessState());
    }

    /** Returns the wiring with a mail server. */
    public Wiring with(MailServer server) {
        return new Wiring(
                environment,
                clock,
                pause,
                dynamoDb,
                eventBridge,
                lambda,
                sqs,
                kms,
                sns,
                storageMeter,
                snapshots,
                Optional.of(server),
                process);
    }

    /** The wiring of one of several functions in a process. */
    public Wiring with(ProcessState shared) {
        return new Wiring(
                environment,
                clock,
                pause,
                dynamoDb,
                eventBridge,
                lambda,
                sqs,
                kms,
                sns,
                storageMeter,
                snapshots,
                mailServer,
                shared);
    }

    /** Creates a wiring without KMS and SNS, which a local run does not have. */
    public Wiring(
            Map<String, String> environment,
            Clock clock,
            Pause pause,
            Supplier<DynamoDbClient> dynamoDb,
            Supplier<EventBridgeClient> eventBridge,
            Supplier<LambdaClient> lambda,
            Supplier<SqsClient> sqs,
            StorageMeter storageMeter,
            Consumer<Resource> snapshots) {
        this(
                environment,
                clock,
                pause,
                dynamoDb,
                eventBridge,
                lambda,
                sqs,
                notPackaged(),
                notPackaged(),
                storageMeter,
                snapshots);
    }

    /** Creates a wiring with its own meter, in a process without snapshots. */
    public Wiring(
            Map<String, String> environment,
            Clock clock,
            Pause pause,
            Supplier<DynamoDbClient> dynamoDb,
            Supplier<EventBridgeClient> eventBridge,
            Supplier<LambdaClient> lambda,
            Supplier<SqsClient> sqs) {
        this(environment, clock, pause, dynamoDb, eventBridge, lambda, sqs, new StorageMeter(), resource -> {});
    }

    /** Returns the wiring of a deployed function: the process's environment, the system clock and clients of its Region. */
    public static Wiring fromEnvironment() {
        return onAws(System.getenv());
    }

    /** Returns the wiring of a deployed function with these variables, in a process of another kind. */
    public static Wiring onAws(Map<String, String> environment) {
        Wiring storage = storageOnly(environment);
        return new Wiring(
                storage.environment(),
                storage.clock(),
                storage.pause(),
                storage.dynamoDb(),
                () -> client(EventBridgeClient.builder(), EVENT_BUS_ATTEMPT, EVENT_BUS_CALL),
                () -> lambdaClient().build(),
                () -> client(SqsClient.builder(), QUEUE_ATTEMPT, QUEUE_CALL),
                () -> client(KmsClient.builder(), QUEUE_ATTEMPT, QUEUE_CALL),
                () -> client(SnsClient.builder(), EVENT_BUS_ATTEMPT, EVENT_BUS_CALL),
                storage.storageMeter(),
                storage.snapshots());
    }

    private static <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> C client(
            B builder, Duration attempt, Duration call) {
        return builder.httpClientBuilder(connections(UrlConnectionHttpClient.builder()))
                .overrideConfiguration(c -> c.apiCallAttemptTimeout(attempt).apiCallTimeout(call))
                .build();
    }

    /** Returns the wiring of a deployed function whose package has only the DynamoDB client. */
    public static Wiring storageOnly() {
        return storageOnly(System.getenv());
    }

    private static Wiring storageOnly(Map<String, String> environment) {
        return new Wiring(
                environment,
                Clock.systemUTC(),
                Pause.real(),
                () -> DynamoDbClient.builder()
                        .httpClientBuilder(connections(UrlConnectionHttpClient.builder()))
                        .overrideConfiguration(
                                // storage.dynamo.RequestRetries does the retries: it sees and counts every attempt.
                                c -> c.apiCallAttemptTimeout(DYNAMODB_ATTEMPT)
                                        .apiCallTimeout(DYNAMODB_CALL)
                                        .retryStrategy(AwsRetryStrategy.doNotRetry()))
                        .build(),
                notPackaged(),
                notPackaged(),
                notPackaged(),
                new StorageMeter(),
                resource -> Core.getGlobalContext().register(resource));
    }

    /**
     * Keeps idle connections as long as other clients of the SDK do. The JDK's 5 s are shorter than the time between two requests of a
     * quiet instance.
     */
    private static SdkHttpClient.Builder<?> connections(UrlConnectionHttpClient.Builder clients) {
        System.setProperty(KEEP_ALIVE_SECONDS, System.getProperty(KEEP_ALIVE_SECONDS, "60"));
        return LostConnectionClient.of(clients);
    }

    /** The method is generic, because linking a lambda that returns the type of a client would load the client's class. */
    private static <C> Supplier<C> notPackaged() {
        return () -> {
            throw new IllegalStateException("the package of this function has no such client");
        };
    }

    /**
     * Returns a builder of a client that invokes functions. The client waits as long as a worker may run. It does not retry, because the
     * first invocation may still be running.
     */
    public static LambdaClientBuilder lambdaClient() {
        return LambdaClient.builder()
                .httpClientBuilder(connections(UrlConnectionHttpClient.builder().socketTimeout(WORKER_ANSWER)))
                .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()));
    }

    /** Returns the monotonic clock of the machine. Changes of the system clock do not affect it. */
    public LongSupplier nanoTime() {
        return System::nanoTime;
    }

    /** Creates a log to standard output. A function creates one log. */
    public Log log() {
        return Log.standard(clock, required("STACK_NAME"), new Sample(requiredInt("LOG_SAMPLE_ONE_IN")));
    }

    /**
     * Returns the value of an environment variable that the template sets.
     *
     * @throws IllegalStateException if the variable is missing or empty, which is an error in the deployment
     */
    public String required(String variable) {
        String value = environment.getOrDefault(variable, "");
        if (value.isEmpty()) {
            throw new IllegalStateException("the environment variable " + variable + " is not set");
        }
        return value;
    }

    /** Returns the URL in an environment variable, without a slash at the end; empty if the variable is not set. */
    public String origin(String variable) {
        String url = environment.getOrDefault(variable, "");
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /**
     * Returns the whole number in an environment variable that the template sets.
     *
     * @throws IllegalStateException if the variable is missing or not a whole number
     */
    public int requiredInt(String variable) {
        String value = required(variable);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("the environment variable " + variable + " is not a whole number", e);
        }
    }
}
