package dev.agenthealth.functions.operations.notification;

import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;

/** The queue with events from the bus, and the queue for messages that were given up. Thread-safe. */
final class NotificationQueue {

    /** The limit of SQS. */
    private static final int MAX_MESSAGES = 10;

    /** The time to wait for messages. With a shorter time, SQS asks only some of its servers and may find nothing. */
    private static final int WAIT_SECONDS = 1;

    /** The maximum number of concurrent receive requests. Together with the earlier ones, they receive some 600 messages. */
    private static final int MAX_RECEIVES = 32;

    private static final Duration RECEIVE_ATTEMPT = Duration.ofSeconds(4);
    private static final Duration RECEIVE_CALL = Duration.ofSeconds(9);

    private final SqsClient sqs;
    private final String url;
    private final String deadLettersUrl;
    private final Executor executor;

    NotificationQueue(Wiring wiring) {
        this.sqs = wiring.sqs().get();
        this.url = wiring.get(FunctionSettings.NOTIFICATION_QUEUE_URL);
        this.deadLettersUrl = wiring.get(FunctionSettings.NOTIFICATION_DEAD_LETTERS_URL);
        this.executor = wiring.storageMeter().propagating(DaemonThreads.pool(MAX_RECEIVES, "notification-queue"));
    }

    /**
     * Receives messages. It doubles the concurrent requests as long as each finds some, so that an idle queue costs one request. Messages that are
     * not deleted are received again later.
     *
     * @return the messages; empty if there are probably none
     * @throws RuntimeException if the queue does not answer
     */
    List<Message> receive() {
        List<Message> received = new ArrayList<>();
        boolean more = true;
        for (int requests = 1; requests <= MAX_RECEIVES && more; requests *= 2) {
            List<List<Message>> batches = Waiting.onAll(Collections.nCopies(requests, url), this::receive, executor);
            batches.forEach(received::addAll);
            more = batches.stream().noneMatch(List::isEmpty);
        }
        return received;
    }

    private List<Message> receive(String queueUrl) {
        return sqs.receiveMessage(r -> r.queueUrl(queueUrl)
                        .maxNumberOfMessages(MAX_MESSAGES)
                        .waitTimeSeconds(WAIT_SECONDS)
                        .overrideConfiguration(
                                c -> c.apiCallAttemptTimeout(RECEIVE_ATTEMPT).apiCallTimeout(RECEIVE_CALL)))
                .messages();
    }

    /** Deletes messages. A message that stays is a duplicate later. */
    void delete(List<Message> messages) {
        List<List<Message>> batches = IntStream.iterate(0, from -> from < messages.size(), from -> from + MAX_MESSAGES)
                .mapToObj(from -> messages.subList(from, Math.min(from + MAX_MESSAGES, messages.size())))
                .toList();
        Waiting.onAll(batches, this::deleteBatch, executor);
    }

    private DeleteMessageBatchResponse deleteBatch(List<Message> messages) {
        // A message may have been received twice, and the ids in a batch must differ.
        List<DeleteMessageBatchRequestEntry> entries = IntStream.range(0, messages.size())
                .mapToObj(i -> DeleteMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(messages.get(i).receiptHandle())
                        .build())
                .toList();
        return sqs.deleteMessageBatch(r -> r.queueUrl(url).entries(entries));
    }

    /**
     * Keeps a message for operators that cannot be processed or delivered.
     *
     * @throws RuntimeException if the message may be lost
     */
    void keep(String body) {
        sqs.sendMessage(r -> r.queueUrl(deadLettersUrl).messageBody(body));
    }
}
