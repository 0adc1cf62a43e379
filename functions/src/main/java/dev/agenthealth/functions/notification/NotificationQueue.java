package dev.agenthealth.functions.notification;

import dev.agenthealth.functions.wiring.Wiring;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** The queue in which the events of the bus wait, and the one that keeps what was given up. Thread-safe. */
final class NotificationQueue {

    /** SQS's own limit. */
    private static final int MAX_MESSAGES = 10;

    /** With less, SQS asks only some of its servers and may find nothing. */
    private static final int WAIT_SECONDS = 1;

    private static final Duration RECEIVE_ATTEMPT = Duration.ofSeconds(4);
    private static final Duration RECEIVE_CALL = Duration.ofSeconds(9);

    private final SqsClient sqs;
    private final String url;
    private final String deadLettersUrl;

    NotificationQueue(Wiring wiring) {
        this.sqs = wiring.sqs().get();
        this.url = wiring.required("NOTIFICATION_QUEUE_URL");
        this.deadLettersUrl = wiring.required("NOTIFICATION_DEAD_LETTERS_URL");
    }

    /**
     * Some of the messages, up to 10; empty where there is probably none. What is not deleted is received again later.
     *
     * @throws RuntimeException where the queue does not answer
     */
    List<Message> receive() {
        return sqs.receiveMessage(r -> r.queueUrl(url)
                        .maxNumberOfMessages(MAX_MESSAGES)
                        .waitTimeSeconds(WAIT_SECONDS)
                        .overrideConfiguration(
                                c -> c.apiCallAttemptTimeout(RECEIVE_ATTEMPT).apiCallTimeout(RECEIVE_CALL)))
                .messages();
    }

    /** Deletes messages, at least one, that were received together; one that stays is a duplicate later. */
    void delete(List<Message> messages) {
        List<DeleteMessageBatchRequestEntry> entries = messages.stream()
                .map(message -> DeleteMessageBatchRequestEntry.builder()
                        .id(message.messageId())
                        .receiptHandle(message.receiptHandle())
                        .build())
                .toList();
        sqs.deleteMessageBatch(r -> r.queueUrl(url).entries(entries));
    }

    /**
     * Keeps what cannot be processed or delivered for operators.
     *
     * @throws RuntimeException if it may not be kept
     */
    void keep(String body) {
        sqs.sendMessage(r -> r.queueUrl(deadLettersUrl).messageBody(body));
    }
}
