package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/**
 * A service that speaks EventBridge's protocol and answers as a test has written down, with a real client for it. Where nothing is
 * written down, it takes every entry. An entry that breaks the {@link EventContract} fails the test when the service closes. Thread-safe.
 */
public final class TestEventBridge implements AutoCloseable {

    /** The service's own limit of a request: entries, and bytes of all entries together. */
    private static final int MAX_ENTRIES = 10;

    private static final int MAX_BYTES = 256 * 1024;

    private final HttpServer server;
    private final EventBridgeClient client;
    private final Deque<Answer> script = new ArrayDeque<>();
    private final List<List<JsonNode>> requests = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final boolean anyEvents;

    /** Either the error code of each entry, empty for taken, or one error for the whole request. */
    private record Answer(List<String> entryErrors, int status, String error) {}

    public TestEventBridge() {
        this(false);
    }

    private TestEventBridge(boolean anyEvents) {
        this.anyEvents = anyEvents;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
        client = EventBridgeClient.builder()
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .overrideConfiguration(c -> c.retryStrategy(StandardRetryStrategy.builder()
                        .maxAttempts(3)
                        .backoffStrategy(BackoffStrategy.retryImmediately())
                        .throttlingBackoffStrategy(BackoffStrategy.retryImmediately())
                        .build()))
                .build();
    }

    /** A service that minds no contract, for tests of how events travel rather than of what they say. */
    public static TestEventBridge ofAnyEvents() {
        return new TestEventBridge(true);
    }

    /** A real client of this service; it repeats at once what the SDK repeats, up to 3 attempts. */
    public EventBridgeClient client() {
        return client;
    }

    /** The next request is answered with these error codes, entry by entry; the empty text takes an entry, as does a missing one. */
    public void answerEntries(String... errorCodes) {
        add(new Answer(List.of(errorCodes), 200, ""));
    }

    /** The next request fails as a whole. */
    public void fail(int status, String error) {
        add(new Answer(List.of(), status, error));
    }

    /** The entries of every request, repeated ones included. */
    public List<List<JsonNode>> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    private void add(Answer answer) {
        synchronized (script) {
            script.add(answer);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!"AWSEvents.PutEvents".equals(exchange.getRequestHeaders().getFirst("X-Amz-Target"))) {
                send(exchange, 400, error("UnknownOperationException"));
                return;
            }
            List<JsonNode> entries = new ArrayList<>();
            TestJson.read(body).path("Entries").forEach(entries::add);
            synchronized (requests) {
                requests.add(List.copyOf(entries));
                if (!anyEvents) {
                    entries.forEach(entry -> faults.addAll(EventContract.faultsOfEntry(entry)));
                }
            }
            Answer answer = next();
            if (answer.status() != 200) {
                send(exchange, answer.status(), error(answer.error()));
            } else if (entries.isEmpty() || entries.size() > MAX_ENTRIES || bytes(entries) > MAX_BYTES) {
                send(exchange, 400, error("ValidationException"));
            } else {
                send(exchange, 200, results(entries, answer));
            }
        }
    }

    private Answer next() {
        synchronized (script) {
            return script.isEmpty() ? new Answer(List.of(), 200, "") : script.poll();
        }
    }

    /** As the service counts an entry: 14 for its time, and the bytes of its texts. */
    private static int bytes(List<JsonNode> entries) {
        int bytes = 0;
        for (JsonNode entry : entries) {
            bytes += 14;
            for (String field : List.of("Source", "DetailType", "Detail")) {
                bytes += entry.path(field).asText().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return bytes;
    }

    private static ObjectNode results(List<JsonNode> entries, Answer answer) {
        ObjectNode json = TestJson.object();
        ArrayNode results = json.putArray("Entries");
        int failed = 0;
        for (int i = 0; i < entries.size(); i++) {
            String error =
                    i < answer.entryErrors().size() ? answer.entryErrors().get(i) : "";
            if (error.isEmpty()) {
                results.addObject().put("EventId", "event-" + i);
            } else {
                results.addObject().put("ErrorCode", error).put("ErrorMessage", "not taken");
                failed++;
            }
        }
        json.put("FailedEntryCount", failed);
        return json;
    }

    private static ObjectNode error(String code) {
        return TestJson.object().put("__type", code).put("message", code);
    }

    private static void send(HttpExchange exchange, int status, ObjectNode json) throws IOException {
        byte[] bytes = TestJson.text(json).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
        synchronized (requests) {
            EventContract.check(faults);
        }
    }
}
