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
 * Outcomes that wait to be sent. They leave in batches, and a batch that was not answered is sent again with the same id and the same
 * content, so that it counts once. Guarded by its session's lock.
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
    void add(Outcome outcome, long nanos) {
        if (waiting.size() == CAPACITY) {
            waiting.removeFirst();
            dropped++;
        }
        waiting.addLast(new Waiting(outcome, nanos));
    }

    /** The batch to send now; empty where nothing waits, or a batch is in flight. */
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

    /** The batch in flight was counted. */
    void counted() {
        pending = Optional.empty();
        inFlight = false;
    }

    /** The batch in flight was refused for good. */
    void refused() {
        dropped += pending.map(batch -> batch.outcomes().size()).orElse(0);
        counted();
    }

    /** It is not known whether the batch in flight was counted: it is sent again. */
    void unanswered() {
        inFlight = false;
    }

    /** Takes the answer to the batch of a heartbeat; the reason where it was refused for good. */
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

    /** The heartbeat with the batch failed. The registry counts the outcomes of a process that was replaced. */
    void settle(AgentHealthException failure) {
        if (failure instanceof SupersededException) {
            counted();
        } else {
            unanswered();
        }
    }

    /** Returns true where a whole batch waits. */
    boolean isFull() {
        return waiting.size() >= MAX_BATCH;
    }

    /** The number of outcomes that wait and are in no batch. */
    int waiting() {
        return waiting.size();
    }

    /** Returns true where nothing is to be sent, neither again nor for the first time. */
    boolean isEmpty() {
        return waiting.isEmpty() && pending.isEmpty();
    }

    /** The number of outcomes that are lost, as the queue was full or the registry refused them. */
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
