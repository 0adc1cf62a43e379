package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A service that speaks SQS's protocol and keeps what is sent to any queue and which of it is to come again, with a real client for it. It takes
 * everything unless it was told to fail. Thread-safe.
 */
public final class TestSqs implements AutoCloseable {

    private static final String SEND_MESSAGE = "AmazonSQS.SendMessage";
    private static final Set<String> TARGETS = Set.of(SEND_MESSAGE, "AmazonSQS.ChangeMessageVisibility");

    /** The service's own limit of a message. */
    private static final int MAX_BYTES = 256 * 1024;

    private final HttpServer server;
    private final SqsClient client;
    private final Deque<Failure> script = new ArrayDeque<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<Redelivery> redeliveries = new ArrayList<>();

    private record Failure(int status, String error) {}

    /**
     * A message that was taken.
     *
     * @param queueUrl where it was sent
     * @param messageId what the service called it
     * @param body its text
     * @param receiptHandle what its delivery is named by
     */
    public record Message(String queueUrl, String messageId, String body, String receiptHandle) {}

    /**
     * A message that is to come again.
     *
     * @param queueUrl where it was sent
     * @param messageId what the service called it
     * @param seconds so long it is hidden
     */
    public record Redelivery(String queueUrl, String messageId, int seconds) {}

    public TestSqs() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
        client = SqsClient.builder()
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

    /** A real client of this service; it repeats at once what the SDK repeats, up to 3 attempts. */
    public SqsClient client() {
        return client;
    }

    /** The next request is refused with this error; asked twice, the next two are, and so on. */
    public void fail(int status, String error) {
        synchronized (script) {
            script.add(new Failure(status, error));
        }
    }

    /** All messages that were taken, in the order of their arrival. */
    public List<Message> messages() {
        synchronized (messages) {
            return List.copyOf(messages);
        }
    }

    /** All that is to come again at another time than the queue's own, in the order in which that was asked for. */
    public List<Redelivery> redeliveries() {
        synchronized (messages) {
            return List.copyOf(redeliveries);
        }
    }

    /** The event that Lambda hands to a function for these messages, received for the first time. */
    public static String event(List<Message> received) {
        ObjectNode event = TestJson.object();
        var records = event.putArray("Records");
        for (Message message : received) {
            ObjectNode entry = records.addObject();
            entry.put("messageId", message.messageId())
                    .put("receiptHandle", message.receiptHandle())
                    .put("body", message.body())
                    .put("md5OfBody", md5(message.body()))
                    .put("eventSource", "aws:sqs")
                    .put("eventSourceARN", arn(message.queueUrl()))
                    .put("awsRegion", "us-east-1");
            entry.putObject("attributes")
                    .put("ApproximateReceiveCount", "1")
                    .put("SentTimestamp", "1770544800000")
                    .put("SenderId", "000000000000")
                    .put("ApproximateFirstReceiveTimestamp", "1770544800001");
            entry.putObject("messageAttributes");
        }
        return TestJson.text(event);
    }

    /** The ARN of the queue with this URL. */
    public static String arn(String queueUrl) {
        String[] parts = URI.create(queueUrl).getPath().split("/");
        return "arn:aws:sqs:us-east-1:" + parts[1] + ":" + parts[2];
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request =
                    TestJson.read(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
            if (!TARGETS.contains(target)) {
                send(exchange, 400, error("UnknownOperationException"));
                return;
            }
            Failure failure = next();
            if (failure.status() != 200) {
                send(exchange, failure.status(), error(failure.error()));
            } else if (target.equals(SEND_MESSAGE)) {
                takeMessage(exchange, request);
            } else {
                takeRedelivery(exchange, request);
            }
        }
    }

    private void takeMessage(HttpExchange exchange, JsonNode request) throws IOException {
        String text = request.path("MessageBody").asText();
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES || request.has("MessageAttributes")) {
            send(exchange, 400, error("InvalidParameterValue"));
        } else {
            send(exchange, 200, taken(request.path("QueueUrl").asText(), text));
        }
    }

    private void takeRedelivery(HttpExchange exchange, JsonNode request) throws IOException {
        synchronized (messages) {
            Optional<Message> named = messages.stream()
                    .filter(message ->
                            message.queueUrl().equals(request.path("QueueUrl").asText()))
                    .filter(message -> message.receiptHandle()
                            .equals(request.path("ReceiptHandle").asText()))
                    .findFirst();
            if (named.isEmpty()) {
                send(exchange, 400, error("ReceiptHandleIsInvalid"));
                return;
            }
            redeliveries.add(new Redelivery(
                    named.get().queueUrl(),
                    named.get().messageId(),
                    request.path("VisibilityTimeout").asInt(-1)));
        }
        send(exchange, 200, TestJson.object());
    }

    private Failure next() {
        synchronized (script) {
            return script.isEmpty() ? new Failure(200, "") : script.poll();
        }
    }

    private ObjectNode taken(String queueUrl, String body) {
        synchronized (messages) {
            String id = "message-" + messages.size();
            messages.add(new Message(queueUrl, id, body, "handle-of-" + id));
            return TestJson.object().put("MessageId", id).put("MD5OfMessageBody", md5(body));
        }
    }

    private static String md5(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    private static ObjectNode error(String code) {
        return TestJson.object().put("__type", "com.amazonaws.sqs#" + code).put("message", code);
    }

    private static void send(HttpExchange exchange, int status, ObjectNode json) throws IOException {
        byte[] bytes = TestJson.text(json).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
