package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;

/**
 * The outcomes that wait to be sent. They leave in batches. An unanswered batch is sent again with the same id and content, so that it
 * counts once. The session's lock guards it.
 */
final class OutcomeQueue {

    /** The maximum number of outcomes of one batch. */
    static final int MAX_BATCH = 500;

    /**
     * The maximum number of waiting outcomes. While the registry is unreachable, the newest outcomes are kept, since they describe the
     * agent best.
     */
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
    void add(Outcome outcome, long nanos) {
        if (waiting.size() == CAPACITY) {
            waiting.removeFirst();
            dropped++;
        }
        waiting.addLast(new Waiting(outcome, nanos));
    }

    /** Returns the batch to send now; empty if nothing waits, or a batch is in flight. */
    Optional<Batch> take() {
        if (inFlight) {
            return Optional.empty();
        }
        if (pending.isEmpty() && !waiting.isEmpty()) {
            pending = Optional.of(next());
        }
        inFlight = pending.isPresent();
        return pending;
    }

    /** Removes the batch in flight, which was counted. */
    void counted() {
        pending = Optional.empty();
        inFlight = false;
    }

    /** Removes the batch in flight, which was refused for good. */
    void refused() {
        dropped += pending.map(batch -> batch.outcomes().size()).orElse(0);
        counted();
    }

    /** Keeps the batch in flight for another attempt, since it is unknown whether it was counted. */
    void unanswered() {
        inFlight = false;
    }

    /** Processes the answer to the batch of a heartbeat. Returns the reason if the batch was refused for good. */
    Optional<String> settle(JsonNode answer) {
        int status = answer.path("status_code").asInt(202);
        if (status < 400) {
            counted();
        } else if (status == 429 || status >= 500) {
            unanswered();
        } else {
            refused();
            return Optional.of(Json.text(answer, "detail"));
        }
        return Optional.empty();
    }

    /** Processes the failure of the heartbeat with the batch. The registry counts the outcomes of a replaced process. */
    void settle(AgentHealthException failure) {
        if (failure instanceof SupersededException) {
            counted();
        } else {
            unanswered();
        }
    }

    /** Returns true if a whole batch waits. */
    boolean isFull() {
        return waiting.size() >= MAX_BATCH;
    }

    /** Returns the number of waiting outcomes without a batch. */
    int waiting() {
        return waiting.size();
    }

    /** Returns true if there is nothing to send, neither a retry nor a new batch. */
    boolean isEmpty() {
        return waiting.isEmpty() && pending.isEmpty();
    }

    /** Returns the number of lost outcomes. Outcomes are lost if the queue is full, or if the registry refuses them. */
    long dropped() {
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
