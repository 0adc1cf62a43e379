package dev.agenthealth.local.streams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last records that were given up, oldest first: what the dead-letter queues are to the deployed system. Thread-safe. */
public final class DeadLetters {

    private static final int CAPACITY = 1_000;

    private final Deque<DeadLetter> letters = new ArrayDeque<>();

    /**
     * A record that a function would not take.
     *
     * @param functionName the function
     * @param at when it was given up
     * @param reason why
     * @param event the record as the function got it
     */
    public record DeadLetter(String functionName, Instant at, String reason, ObjectNode event) {}

    synchronized void add(DeadLetter letter) {
        if (letters.size() == CAPACITY) {
            letters.removeFirst();
        }
        letters.addLast(letter);
    }

    /** All that are kept. */
    public synchronized List<DeadLetter> all() {
        return List.copyOf(letters);
    }
}
