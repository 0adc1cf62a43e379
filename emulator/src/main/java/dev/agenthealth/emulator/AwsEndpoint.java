package dev.agenthealth.emulator;

import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.CallInterceptor;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The services of AWS that functions call over HTTP, on a loopback port of their own, and SDK clients for them: requests are encoded, sent
 * and answered as in the deployed system. Thread-safe.
 */
public final class AwsEndpoint implements AutoCloseable {

    private static final int MAX_ATTEMPTS = 3;

    private final WebServer server;
    private final URI address;
    private final Lazy<EventBridgeClient> eventBridge;
    private final Lazy<LambdaClient> lambda;
    private final Lazy<SqsClient> sqs;

    private AwsEndpoint(WebServer server) {
        this.server = server;
        this.address = URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.port());
        this.eventBridge = new Lazy<>(() -> configured(EventBridgeClient.builder())
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build());
        this.lambda = new Lazy<>(() -> configured(LambdaClient.builder())
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build());
        this.sqs = new Lazy<>(() -> configured(SqsClient.builder())
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build());
    }

    /** Takes a free port; nothing is answered before {@link #start}. */
    public static AwsEndpoint bind(EmulatorLog log) throws IOException {
        return new AwsEndpoint(WebServer.bind(InetAddress.getLoopbackAddress().getHostAddress(), 0, "aws", log));
    }

    /** Answers the calls of these services from now on. */
    public void start(AwsService... services) {
        start((operation, request) -> Optional.empty(), services);
    }

    /**
     * Answers the calls of these services from now on.
     *
     * @param interceptor sees each call before its service, for example {@link ScriptedCalls}
     */
    public void start(CallInterceptor interceptor, AwsService... services) {
        List<AwsService> all = List.of(services);
        server.start(request -> dispatch(request, interceptor, all));
    }

    /** A client that makes up to 3 attempts, without a pause between them. */
    public EventBridgeClient eventBridge() {
        return eventBridge.get();
    }

    /** A client that makes up to 3 attempts, without a pause between them. */
    public LambdaClient lambda() {
        return lambda.get();
    }

    /** A client that makes up to 3 attempts, without a pause between them. */
    public SqsClient sqs() {
        return sqs.get();
    }

    /** The same builder, set up for this endpoint except for its HTTP client. */
    public <B extends AwsClientBuilder<B, ?>> B configured(B builder) {
        return builder.endpointOverride(address)
                .region(Region.of(EmulatedAccount.REGION))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .overrideConfiguration(configuration -> configuration.retryStrategy(StandardRetryStrategy.builder()
                        .maxAttempts(MAX_ATTEMPTS)
                        .backoffStrategy(BackoffStrategy.retryImmediately())
                        .throttlingBackoffStrategy(BackoffStrategy.retryImmediately())
                        .build()));
    }

    @Override
    public void close() {
        server.close();
        eventBridge.ifMade(EventBridgeClient::close);
        lambda.ifMade(LambdaClient::close);
        sqs.ifMade(SqsClient::close);
    }

    private static RawResponse dispatch(RawRequest request, CallInterceptor interceptor, List<AwsService> services) {
        for (AwsService service : services) {
            Optional<String> operation = service.operation(request);
            if (operation.isPresent()) {
                return interceptor.intercept(operation.get(), request).orElseGet(() -> service.answer(request));
            }
        }
        return RawResponse.message(400, "This operation does not exist in the emulator.")
                .with("x-amzn-ErrorType", "UnknownOperationException");
    }
}
