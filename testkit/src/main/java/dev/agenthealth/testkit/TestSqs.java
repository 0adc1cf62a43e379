package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.EmulatedSqs;
import dev.agenthealth.template.QueueDefinition;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/** The emulator's SQS, which keeps sent messages and early redeliveries. Thread-safe. */
public final class TestSqs {

    /** A fixed clock, so that received messages stay in flight during a test. */
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-02-08T10:00:00Z"), ZoneOffset.UTC);

    private static final Duration VISIBILITY_TIMEOUT = Duration.ofHours(12);
    private static final Duration RETENTION = Duration.ofDays(14);
    private static final int MAX_BYTES = 256 * 1024;

    private final List<String> queueUrls;
    private final EmulatedQueues queues;
    private final ScriptedCalls<SendMessageRequest, SendMessageResponse> sends;
    private final ScriptedCalls<ReceiveMessageRequest, ReceiveMessageResponse> receives;
    private final ScriptedCalls<DeleteMessageBatchRequest, DeleteMessageBatchResponse> deletions;
    private final ScriptedCalls<ChangeMessageVisibilityRequest, ChangeMessageVisibilityResponse> changes;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final List<Redelivery> redeliveries = new ArrayList<>();

    /**
     * A message that was accepted and received.
     *
     * @param queueUrl the queue that received it
     * @param receiptHandle identifies its delivery
     */
    public record Message(String queueUrl, String messageId, String body, String receiptHandle) {}

    /**
     * A change of a message's visibility.
     *
     * @param queueUrl the queue of the message
     * @param seconds counted from the change
     */
    public record Redelivery(String queueUrl, String messageId, int seconds) {}

    /** @param queueUrls URLs of the existing queues */
    public TestSqs(String... queueUrls) {
        this.queueUrls = List.of(queueUrls);
        this.queues = EmulatedQueues.inMemory(
                this.queueUrls.stream().map(TestSqs::definition).toList(), CLOCK);
        EmulatedSqs emulated = new EmulatedSqs(queues);
        this.sends = new ScriptedCalls<>(emulated::sendMessage);
        this.receives = new ScriptedCalls<>(emulated::receiveMessage);
        this.deletions = new ScriptedCalls<>(emulated::deleteMessageBatch);
        this.changes = new ScriptedCalls<>(request -> recorded(request, emulated.changeMessageVisibility(request)));
    }

    public SqsClient client() {
        return new SqsClient() {
            @Override
            public SendMessageResponse sendMessage(SendMessageRequest request) {
                return sends.call(request);
            }

            @Override
            public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
                return receives.call(request);
            }

            @Override
            public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
                return deletions.call(request);
            }

            @Override
            public ChangeMessageVisibilityResponse changeMessageVisibility(ChangeMessageVisibilityRequest request) {
                return changes.call(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    /** Returns true if messages were received and deleted. */
    public boolean wasRead() {
        return !receives.requests().isEmpty() && !deletions.requests().isEmpty();
    }

    /** Fails the next sent message; a second failure is for the message after it. */
    public void failSend(SdkException failure) {
        sends.failNext(failure);
    }

    /** Fails the next change of visibility. */
    public void failChange(SdkException failure) {
        changes.failNext(failure);
    }

    /** Returns all accepted messages, in the order in which each queue received them. */
    public synchronized List<Message> messages() {
        for (String url : queueUrls) {
            queues.receive(url, Integer.MAX_VALUE).forEach(received -> {
                String id = received.message().id();
                messages.put(id, new Message(url, id, received.message().body(), received.receiptHandle()));
            });
        }
        return List.copyOf(messages.values());
    }

    /** Returns the bodies of all messages that were sent with a delay, in the order in which they were sent. */
    public List<String> delayed() {
        return sends.requests().stream()
                .filter(request -> request.delaySeconds() != null && request.delaySeconds() > 0)
                .map(SendMessageRequest::messageBody)
                .toList();
    }

    /** Returns all accepted changes of a message's visibility, oldest first. */
    public synchronized List<Redelivery> redeliveries() {
        return List.copyOf(redeliveries);
    }

    /** Returns the event that Lambda passes to a function for these messages, received for the first time. */
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

    /** Returns the ARN of the queue with this URL. */
    public static String arn(String queueUrl) {
        String[] parts = URI.create(queueUrl).getPath().split("/");
        return "arn:aws:sqs:us-east-1:" + parts[1] + ":" + parts[2];
    }

    private static QueueDefinition definition(String url) {
        String name = url.substring(url.lastIndexOf('/') + 1);
        return new QueueDefinition(
                name,
                name,
                new QueueDefinition.Address(url, arn(url)),
                VISIBILITY_TIMEOUT,
                RETENTION,
                MAX_BYTES,
                QueueDefinition.Redrive.NONE);
    }

    private static String md5(Message message) {
        return new dev.agenthealth.emulator.sqs.Message(message.messageId(), message.body(), CLOCK.instant())
                .md5OfBody();
    }

    private synchronized ChangeMessageVisibilityResponse recorded(
            ChangeMessageVisibilityRequest request, ChangeMessageVisibilityResponse accepted) {
        messages.values().stream()
                .filter(message -> message.receiptHandle().equals(request.receiptHandle()))
                .forEach(message -> redeliveries.add(
                        new Redelivery(message.queueUrl(), message.messageId(), request.visibilityTimeout())));
        return accepted;
    }
}
