package dev.agenthealth.emulator;

import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.emulator.eventbridge.PutEventsEndpoint;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.http.LoopbackServer;
import dev.agenthealth.emulator.lambda.InvokeEndpoint;
import dev.agenthealth.emulator.sqs.SqsEndpoint;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The AWS services that functions call over HTTP, on a loopback port of their own, and real SDK clients for them: what
 * functions send is encoded, sent and answered as in the deployed system.
 */
public final class AwsEndpoint implements AutoCloseable {

    private final LoopbackServer server;
    private final Lazy<EventBridgeClient> eventBridge;
    private final Lazy<LambdaClient> lambda;
    private final Lazy<SqsClient> sqs;

    private AwsEndpoint(LoopbackServer server) {
        this.server = server;
        URI address = URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.port());
        this.eventBridge = new Lazy<>(() -> configured(EventBridgeClient.builder(), address)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build());
        this.lambda = new Lazy<>(() -> configured(LambdaClient.builder(), address)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build());
        this.sqs = new Lazy<>(() -> configured(SqsClient.builder(), address)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build());
    }

    /** Takes a free port; nothing is answered before {@link #start}. */
    public static AwsEndpoint bind(EmulatorLog log) throws IOException {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        return new AwsEndpoint(LoopbackServer.bind(host, 0, "aws", log));
    }

    public void start(PutEventsEndpoint putEvents, InvokeEndpoint invoke, SqsEndpoint queues) {
        server.start(exchange -> dispatch(exchange, putEvents, invoke, queues));
    }

    public EventBridgeClient eventBridge() {
        return eventBridge.get();
    }

    public LambdaClient lambda() {
        return lambda.get();
    }

    public SqsClient sqs() {
        return sqs.get();
    }

    @Override
    public void close() {
        server.close();
        eventBridge.ifMade(EventBridgeClient::close);
        lambda.ifMade(LambdaClient::close);
        sqs.ifMade(SqsClient::close);
    }

    private static void dispatch(
            HttpExchange exchange, PutEventsEndpoint putEvents, InvokeEndpoint invoke, SqsEndpoint queues)
            throws IOException {
        if (PutEventsEndpoint.accepts(exchange)) {
            putEvents.handle(exchange);
        } else if (InvokeEndpoint.accepts(exchange)) {
            invoke.handle(exchange);
        } else if (SqsEndpoint.accepts(exchange)) {
            queues.handle(exchange);
        } else {
            exchange.getResponseHeaders().set("x-amzn-ErrorType", "UnknownOperationException");
            Exchanges.sendMessage(exchange, 400, "This operation does not exist in the local run.");
        }
    }

    private static <B extends AwsClientBuilder<B, ?>> B configured(B builder, URI address) {
        return builder.endpointOverride(address)
                .region(Region.of(EmulatedAccount.REGION))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")));
    }
}
