package dev.agenthealth.emulator.deadletters;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last stream records and messages that were given up, oldest first: what a look into the dead-letter queues shows of the
 * deployed system. Thread-safe.
 */
public final class DeadLetters {

    private static final int CAPACITY = 1_000;

    private final Deque<DeadLetter> letters = new ArrayDeque<>();

    /**
     * What a function would not take.
     *
     * @param functionName the function
     * @param at when it was given up
     * @param reason why
     * @param event the record or message as the function got it
     */
    public record DeadLetter(String functionName, Instant at, String reason, ObjectNode event) {}

    /** Adds one as the newest; the oldest is forgotten where there are too many. */
    public synchronized void add(DeadLetter letter) {
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
