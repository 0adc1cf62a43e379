package dev.agenthealth.emulator.sqs;

import dev.agenthealth.dynamodb.Messages;
import dev.agenthealth.template.QueueDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** The template's queues. Thread-safe. */
public final class EmulatedQueues {

    private final Map<String, EmulatedQueue> byArn = new LinkedHashMap<>();
    private final Clock clock;

    /** The messages that wait for the end of {@link #together} in the calling thread, by their queue. */
    private final ThreadLocal<Map<EmulatedQueue, List<Message>>> waiting = new ThreadLocal<>();

    /** @param stores returns the store of each queue, by the queue's name */
    EmulatedQueues(List<QueueDefinition> definitions, Function<String, MessageStore> stores, Clock clock) {
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
        EmulatedQueue queue = withArn(arn).orElseThrow(() -> new IllegalArgumentException("there is no queue " + arn));
        if (waiting.get() == null) {
            send(queue, bodies, Duration.ZERO);
        } else {
            waiting.get().computeIfAbsent(queue, key -> new ArrayList<>()).addAll(messages(bodies, now()));
        }
    }

    /**
     * Does work, and stores the messages that its thread sends to ARNs at the end of the work, with one change for each queue. Messages of
     * failed work are stored too. A loss of power may lose the messages. Therefore, the caller stores later, in the same database, that
     * the work is done, and otherwise repeats the work.
     *
     * @throws RuntimeException if the work failed, or if messages cannot be stored
     */
    public <T> T together(Supplier<T> work) {
        Map<EmulatedQueue, List<Message>> sent = new LinkedHashMap<>();
        waiting.set(sent);
        T result;
        try {
            result = work.get();
        } catch (RuntimeException | Error e) {
            try {
                store(sent);
            } catch (RuntimeException storing) {
                e.addSuppressed(storing);
            }
            throw e;
        } finally {
            waiting.remove();
        }
        store(sent);
        return result;
    }

    private void store(Map<EmulatedQueue, List<Message>> sent) {
        sent.forEach((queue, messages) -> queue.add(messages, now(), false));
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
        Instant now = now();
        List<Message> messages = messages(bodies, now);
        queue.add(messages, now.plus(delay));
        return messages;
    }

    private static List<Message> messages(List<String> bodies, Instant now) {
        return bodies.stream()
                .map(body -> new Message(UUID.randomUUID().toString(), body, now))
                .toList();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
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
