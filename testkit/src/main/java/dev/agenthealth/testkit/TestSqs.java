package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.SqsEndpoint;
import dev.agenthealth.template.QueueDefinition;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The emulator's SQS, which keeps what is sent and which messages are redelivered early. Thread-safe. */
public final class TestSqs implements AutoCloseable {

    public static final String SEND_MESSAGE = "SendMessage";
    public static final String CHANGE_VISIBILITY = "ChangeMessageVisibility";

    /** Received messages stay in flight for as long as a test runs. */
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-02-08T10:00:00Z"), ZoneOffset.UTC);

    private static final Duration VISIBILITY_TIMEOUT = Duration.ofHours(12);
    private static final Duration RETENTION = Duration.ofDays(14);
    private static final int MAX_BYTES = 256 * 1024;

    private final List<String> queueUrls;
    private final EmulatedQueues queues;
    private final LazyService emulated;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final List<Redelivery> redeliveries = new ArrayList<>();

    /**
     * A message that was accepted and received.
     *
     * @param queueUrl the queue it was sent to
     * @param receiptHandle identifies its delivery
     */
    public record Message(String queueUrl, String messageId, String body, String receiptHandle) {}

    /**
     * A change of the time for which a message is hidden.
     *
     * @param queueUrl the queue it was sent to
     * @param seconds from the change on
     */
    public record Redelivery(String queueUrl, String messageId, int seconds) {}

    /** @param queueUrls of the queues that exist */
    public TestSqs(String... queueUrls) {
        this.queueUrls = List.of(queueUrls);
        this.queues = EmulatedQueues.inMemory(
                this.queueUrls.stream().map(TestSqs::definition).toList(), CLOCK);
        this.emulated = new LazyService(new Recorded(new SqsEndpoint(queues)));
    }

    /** A client that makes up to 3 attempts, without a pause between them. */
    public SqsClient client() {
        return emulated.endpoint().sqs();
    }

    /** Whether an operation of the API was called. */
    public boolean called(String operation) {
        return !emulated.calls().of(operation).isEmpty();
    }

    /** Fails the next call of an operation; a second failure is for the call after it. */
    public void fail(String operation, int status, String error) {
        emulated.calls().failNext(operation, status, error);
    }

    /** All accepted messages, in the order in which each queue received them. */
    public synchronized List<Message> messages() {
        for (String url : queueUrls) {
            queues.receive(url, Integer.MAX_VALUE).forEach(received -> {
                String id = received.message().id();
                messages.put(id, new Message(url, id, received.message().body(), received.receiptHandle()));
            });
        }
        return List.copyOf(messages.values());
    }

    /** All accepted changes of the time for which a message is hidden, oldest first. */
    public synchronized List<Redelivery> redeliveries() {
        return List.copyOf(redeliveries);
    }

    /** The event that Lambda passes to a function for these messages, received for the first time. */
    public static String event(List<Message> received) {
        ObjectNode event = TestJson.object();
        var records = event.putArray("Records");
        for (Message message : received) {
            ObjectNode entry = records.addObject();
            entry.put("messageId", message.messageId())
                    .put("receiptHandle", message.receiptHandle())
                    .put("body", message.body())
                    .put("md5OfBody", md5(message))
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

    private static QueueDefinition definition(String url) {
        String name = url.substring(url.lastIndexOf('/') + 1);
        return new QueueDefinition(name, name, url, arn(url), VISIBILITY_TIMEOUT, RETENTION, MAX_BYTES, "", 0);
    }

    private static String md5(Message message) {
        return new dev.agenthealth.emulator.sqs.Message(message.messageId(), message.body(), CLOCK.instant())
                .md5OfBody();
    }

    private synchronized void record(RawRequest request) {
        JsonNode json = TestJson.read(new String(request.body(), StandardCharsets.UTF_8));
        String handle = json.path("ReceiptHandle").asText();
        messages.values().stream()
                .filter(message -> message.receiptHandle().equals(handle))
                .forEach(message -> redeliveries.add(new Redelivery(
                        message.queueUrl(),
                        message.messageId(),
                        json.path("VisibilityTimeout").asInt())));
    }

    /** Records the accepted changes of visibility. */
    private final class Recorded implements AwsService {

        private final SqsEndpoint sqs;

        Recorded(SqsEndpoint sqs) {
            this.sqs = sqs;
        }

        @Override
        public Optional<String> operation(RawRequest request) {
            return sqs.operation(request);
        }

        @Override
        public RawResponse answer(RawRequest request) {
            RawResponse answer = sqs.answer(request);
            if (answer.status() == 200 && sqs.operation(request).orElseThrow().equals(CHANGE_VISIBILITY)) {
                record(request);
            }
            return answer;
        }
    }

    @Override
    public void close() {
        emulated.close();
    }
}
