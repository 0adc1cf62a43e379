package dev.agenthealth.functions.runtime.wiring;

import java.time.Duration;
import java.util.function.Supplier;
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
 * The clients of AWS services of a function. Each client is created once, on first use, so that a function loads only the clients that it
 * needs.
 *
 * @param dynamoDb returns the DynamoDB client
 * @param eventBridge returns the EventBridge client
 * @param lambda returns the Lambda client
 * @param sqs returns the SQS client
 * @param kms returns the KMS client
 * @param sns returns the SNS client
 */
public record AwsClients(
        Supplier<DynamoDbClient> dynamoDb,
        Supplier<EventBridgeClient> eventBridge,
        Supplier<LambdaClient> lambda,
        Supplier<SqsClient> sqs,
        Supplier<KmsClient> kms,
        Supplier<SnsClient> sns) {

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

    public AwsClients {
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

    /** Returns the clients of the function's Region. */
    static AwsClients all() {
        return new AwsClients(
                AwsClients::storage,
                () -> client(EventBridgeClient.builder(), EVENT_BUS_ATTEMPT, EVENT_BUS_CALL),
                () -> lambdaClient().build(),
                () -> client(SqsClient.builder(), QUEUE_ATTEMPT, QUEUE_CALL),
                () -> client(KmsClient.builder(), QUEUE_ATTEMPT, QUEUE_CALL),
                () -> client(SnsClient.builder(), EVENT_BUS_ATTEMPT, EVENT_BUS_CALL));
    }

    /** Returns the clients of a function whose package has only the DynamoDB client. */
    static AwsClients storageOnly() {
        return new AwsClients(
                AwsClients::storage, notPackaged(), notPackaged(), notPackaged(), notPackaged(), notPackaged());
    }

    private static DynamoDbClient storage() {
        return DynamoDbClient.builder()
                .httpClientBuilder(connections(UrlConnectionHttpClient.builder()))
                .overrideConfiguration(
                        // storage.dynamo.RequestRetries does the retries: it sees and counts every attempt.
                        c -> c.apiCallAttemptTimeout(DYNAMODB_ATTEMPT)
                                .apiCallTimeout(DYNAMODB_CALL)
                                .retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    private static <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> C client(
            B builder, Duration attempt, Duration call) {
        return builder.httpClientBuilder(connections(UrlConnectionHttpClient.builder()))
                .overrideConfiguration(c -> c.apiCallAttemptTimeout(attempt).apiCallTimeout(call))
                .build();
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
    static <C> Supplier<C> notPackaged() {
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
}
