package dev.agenthealth.functions.sweep;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.functions.runtime.wiring.AwsClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** A local HTTP server with Lambda's Invoke API for one function. */
final class WorkerServer implements AutoCloseable {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Function<Map<String, Object>, Map<String, Object>> function;
    private final List<Map<String, Object>> calls = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean hangsUp;

    /**
     * @param function answers, or throws as a function does that fails
     */
    WorkerServer(Function<Map<String, Object>, Map<String, Object>> function) {
        this.function = function;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/2015-03-31/functions/", this::invoked);
        server.start();
    }

    /** The Lambda client of the deployed system, with this server as its endpoint. */
    LambdaClient client() {
        return AwsClients.lambdaClient()
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build();
    }

    /** From now on calls are executed, but the connection is closed before the response. */
    void hangUp() {
        hangsUp = true;
    }

    /** From now on calls get a response. */
    void answer() {
        hangsUp = false;
    }

    /** The requests received, in order. */
    List<Map<String, Object>> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    /** Removes the requests received so far. */
    void forget() {
        calls.clear();
    }

    private void invoked(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, Object> request =
                    MAPPER.readValue(exchange.getRequestBody().readAllBytes(), new TypeReference<>() {});
            calls.add(request);
            byte[] answer;
            try {
                answer = MAPPER.writeValueAsBytes(function.apply(request));
            } catch (RuntimeException e) {
                exchange.getResponseHeaders().add("X-Amz-Function-Error", "Unhandled");
                answer = MAPPER.writeValueAsBytes(Map.of("errorMessage", String.valueOf(e.getMessage())));
            }
            if (!hangsUp) {
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
