package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;

/**
 * Outcomes that wait to be sent. They leave in batches, and a batch that was not answered is sent again with the same id and the same
 * content, so that it counts once. Thread-safe.
 */
final class OutcomeQueue {

    /** The maximum number of outcomes of one batch. */
    static final int MAX_BATCH = 500;

    /** While the registry is away, the newest outcomes are kept: they say most about the agent. */
    static final int CAPACITY = 10_000;

    private final String prefix = UUID.randomUUID() + "-";
    private final ServerTime serverTime;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private Optional<Batch> pending = Optional.empty();
    private boolean inFlight;
    private long batches;
    private long dropped;

    private record Waiting(Outcome outcome, long nanos) {}

    /** Outcomes with the id of their batch. */
    record Batch(String id, ArrayNode outcomes) {

        void putInto(ObjectNode body) {
            body.put("batch_id", id);
            body.set("outcomes", outcomes);
        }
    }

    OutcomeQueue(ServerTime serverTime) {
        this.serverTime = serverTime;
    }

    /** Adds an outcome; drops the oldest one if the queue is full. */
    synchronized void add(Outcome outcome, long nanos) {
        if (waiting.size() == CAPACITY) {
            waiting.removeFirst();
            dropped++;
        }
        waiting.addLast(new Waiting(outcome, nanos));
    }

    /** The batch to send now; empty where nothing waits, or a batch is under way. */
    synchronized Optional<Batch> take() {
        if (inFlight) {
            return Optional.empty();
        }
        if (pending.isEmpty() && !waiting.isEmpty()) {
            pending = Optional.of(next());
        }
        inFlight = pending.isPresent();
        return pending;
    }

    /** The batch that is under way was counted. */
    synchronized void counted() {
        pending = Optional.empty();
        inFlight = false;
    }

    /** The batch that is under way was refused for good. */
    synchronized void refused() {
        dropped += pending.map(batch -> batch.outcomes().size()).orElse(0);
        counted();
    }

    /** It is not known whether the batch that is under way was counted: it is sent again. */
    synchronized void unanswered() {
        inFlight = false;
    }

    /** The number of outcomes that wait and are in no batch. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** The number of outcomes that are lost, as the queue was full or the registry refused them. */
    synchronized long dropped() {
        return dropped;
    }

    private Batch next() {
        ArrayNode outcomes = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < MAX_BATCH && !waiting.isEmpty(); i++) {
            Waiting one = waiting.removeFirst();
            ObjectNode json = one.outcome().json();
            if (!one.outcome().hasMoment()) {
                serverTime.at(one.nanos()).ifPresent(moment -> json.put("occurred_at", moment.toString()));
            }
            outcomes.add(json);
        }
        return new Batch(prefix + ++batches, outcomes);
    }
}
