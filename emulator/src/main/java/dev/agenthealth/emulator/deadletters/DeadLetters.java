package dev.agenthealth.emulator.deadletters;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last 1,000 dead letters, oldest first, as the deployed system's dead-letter queues hold them. Thread-safe. */
public final class DeadLetters {

    private static final int CAPACITY = 1_000;

    private final Deque<DeadLetter> newestLast = new ArrayDeque<>();

    /**
     * A record or message that failed too often and is not delivered again.
     *
     * @param functionName the function that failed
     * @param at time of the last attempt
     * @param reason the reason why it is not delivered again
     * @param event the record or message as the function received it
     */
    public record DeadLetter(String functionName, Instant at, String reason, ObjectNode event) {}

    /** Adds the newest dead letter and drops the oldest if there are more than 1,000. */
    public synchronized void add(DeadLetter deadLetter) {
        if (newestLast.size() == CAPACITY) {
            newestLast.removeFirst();
        }
        newestLast.addLast(deadLetter);
    }

    public synchronized List<DeadLetter> all() {
        return List.copyOf(newestLast);
    }
}
