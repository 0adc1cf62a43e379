package dev.agenthealth.emulator.sqs;

import dev.agenthealth.dynamodb.Messages;
import dev.agenthealth.template.QueueDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The template's queues. Thread-safe. */
public final class EmulatedQueues {

    private final Map<String, EmulatedQueue> byArn = new LinkedHashMap<>();
    private final Clock clock;

    private EmulatedQueues(List<QueueDefinition> definitions, Function<String, MessageStore> stores, Clock clock) {
        this.clock = clock;
        for (QueueDefinition definition : definitions) {
            byArn.put(definition.arn(), new EmulatedQueue(definition, stores.apply(definition.name())));
        }
        for (QueueDefinition definition : definitions) {
            if (!definition.deadLetterArn().isEmpty() && !byArn.containsKey(definition.deadLetterArn())) {
                throw new IllegalStateException(
                        definition.logicalId() + ": there is no queue " + definition.deadLetterArn());
            }
        }
    }

    /**
     * Returns queues in memory.
     *
     * @throws IllegalStateException if a queue's dead-letter queue is not defined
     */
    public static EmulatedQueues inMemory(List<QueueDefinition> definitions, Clock clock) {
        return new EmulatedQueues(definitions, name -> MessageStore.none(), clock);
    }

    /**
     * Returns queues whose messages outlive the process; the numbers of receives do not.
     *
     * @param messages stores the messages of all queues
     * @throws IllegalStateException if a queue's dead-letter queue is not defined
     */
    public static EmulatedQueues stored(List<QueueDefinition> definitions, Messages messages, Clock clock) {
        return new EmulatedQueues(definitions, name -> new StoredMessages(messages, name), clock);
    }

    /** Returns the number of messages in a queue, including messages in flight; zero if the queue does not exist. */
    public int size(String queueName) {
        return byArn.values().stream()
                .filter(queue -> queue.definition().name().equals(queueName))
                .mapToInt(EmulatedQueue::size)
                .sum();
    }

    /** Returns true if a queue has this ARN. */
    public boolean has(String arn) {
        return byArn.containsKey(arn);
    }

    /**
     * Sends messages to the queue with this ARN. They are stored together.
     *
     * @throws IllegalArgumentException if the queue does not exist
     */
    public void send(String arn, List<String> bodies) {
        send(
                withArn(arn).orElseThrow(() -> new IllegalArgumentException("there is no queue " + arn)),
                bodies,
                Duration.ZERO);
    }

    /**
     * Receives messages and hides them from other receivers for the queue's visibility timeout.
     *
     * @throws IllegalArgumentException if no queue has this URL
     */
    public List<Received> receive(String url, int limit) {
        return required(url).receive(limit, clock.instant());
    }

    /**
     * Deletes a message; does nothing if it was received again since.
     *
     * @throws IllegalArgumentException if no queue has this URL
     */
    public void delete(String url, Received received) {
        required(url).delete(List.of(received.receiptHandle()));
    }

    private EmulatedQueue required(String url) {
        return atUrl(url).orElseThrow(() -> new IllegalArgumentException("there is no queue " + url));
    }

    /** Returns the queue with this URL; empty if there is no such queue. */
    Optional<EmulatedQueue> atUrl(String url) {
        return byArn.values().stream()
                .filter(queue -> queue.definition().url().equals(url))
                .findFirst();
    }

    /** Returns the queue with this ARN; empty if there is no such queue. */
    Optional<EmulatedQueue> withArn(String arn) {
        return Optional.ofNullable(byArn.get(arn));
    }

    /** Sends messages that are hidden until the delay ends. */
    List<Message> send(EmulatedQueue queue, List<String> bodies, Duration delay) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        List<Message> messages = bodies.stream()
                .map(body -> new Message(UUID.randomUUID().toString(), body, now))
                .toList();
        queue.add(messages, now.plus(delay));
        return messages;
    }

    /** Hides a received message for {@code time}, counted from now. */
    Hiding hide(EmulatedQueue queue, String receiptHandle, Duration time) {
        Instant now = clock.instant();
        return queue.hide(receiptHandle, now, now.plus(time));
    }

    /** Moves a message to the dead-letter queue. */
    void moveToDeadLetters(EmulatedQueue from, Received spent) {
        withArn(from.definition().deadLetterArn()).ifPresent(to -> to.add(List.of(spent.message()), clock.instant()));
        from.delete(List.of(spent.receiptHandle()));
    }
}
