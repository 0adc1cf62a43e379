package dev.agenthealth.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BinaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** A service that speaks Lambda's protocol and runs functions, with a real client for it. Thread-safe. */
public final class TestLambda implements AutoCloseable {

    private static final String PREFIX = "/2015-03-31/functions/";
    private static final String SUFFIX = "/invocations";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LambdaClient client;
    private final Set<String> invoked = ConcurrentHashMap.newKeySet();

    /**
     * @param functions from a function's name or ARN and the invocation's JSON to the result's; what it throws is answered as Lambda answers a function's error
     */
    public TestLambda(BinaryOperator<String> functions) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, functions));
        server.start();
        client = LambdaClient.builder()
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    public LambdaClient client() {
        return client;
    }

    /** Names or ARNs of the functions that were invoked. */
    public Set<String> invoked() {
        return Set.copyOf(invoked);
    }

    private void answer(HttpExchange exchange, BinaryOperator<String> functions) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            if (!path.startsWith(PREFIX) || !path.endsWith(SUFFIX)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String name = URLDecoder.decode(
                    path.substring(PREFIX.length(), path.length() - SUFFIX.length()), StandardCharsets.UTF_8);
            invoked.add(name);
            String input = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String output;
            try {
                output = functions.apply(name, input);
            } catch (RuntimeException e) {
                exchange.getResponseHeaders().set("X-Amz-Function-Error", "Unhandled");
                output = "{\"errorType\":\"" + e.getClass().getName() + "\"}";
            }
            byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
        threads.shutdown();
    }
}
