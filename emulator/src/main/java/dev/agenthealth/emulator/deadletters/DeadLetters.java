package dev.agenthealth.emulator.deadletters;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last 1,000 stream records and messages that a function failed on too often, oldest first: the content of the deployed system's
 * dead-letter queues. Thread-safe.
 */
public final class DeadLetters {

    private static final int CAPACITY = 1_000;

    private final Deque<DeadLetter> newestLast = new ArrayDeque<>();

    /**
     * A record or message that is not delivered again.
     *
     * @param functionName the function that failed
     * @param at time of the last attempt
     * @param reason why it is not delivered again
     * @param event the record or message as the function received it
     */
    public record DeadLetter(String functionName, Instant at, String reason, ObjectNode event) {}

    /** Adds one as the newest and drops the oldest when there are more than 1,000. */
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
