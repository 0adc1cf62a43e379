package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one agent works on, finished and holds, and what its heartbeats say of it. Thread-safe. */
final class Activity {

    private final Parts parts;
    private final ServerTime serverTime = new ServerTime();
    private final OutcomeQueue outcomes = new OutcomeQueue(serverTime);
    private final Work work = new Work();
    private final HeldLeases leases = new HeldLeases();
    private final AtomicBoolean flushing = new AtomicBoolean();

    Activity(Parts parts) {
        this.parts = parts;
    }

    /** The registry says that it is this time now. */
    void sync(Optional<Instant> serverNow) {
        serverNow.ifPresent(moment -> serverTime.sync(moment, parts.scheduler().nanoTime()));
    }

    /** How far this machine's clock is from the registry's. */
    Duration drift() {
        return serverTime.drift(parts.clock().instant(), parts.scheduler().nanoTime());
    }

    /** Puts a batch of outcomes into a heartbeat; false where there is none, or one is under way. */
    boolean putOutcomes(ObjectNode heartbeat) {
        Optional<OutcomeQueue.Batch> batch = outcomes.take();
        batch.ifPresent(taken -> taken.putInto(heartbeat));
        return batch.isPresent();
    }

    /**
     * Puts load and tasks into a heartbeat.
     *
     * @param drainRuns whether the callback for the drain runs
     */
    void putWork(ObjectNode heartbeat, boolean drainRuns) {
        // Outcomes that wait for the next heartbeat must not be cut off by the end of the drain.
        boolean unfinished =
                drainRuns || heartbeat.path("status").asText().equals("draining") && outcomes.waiting() > 0;
        heartbeat.put("current_load", Math.max(work.load(), unfinished ? 1 : 0));
        heartbeat.set("tasks_in_progress", Json.of(work.tasks()));
    }

    /** Takes the answer to the outcomes of a heartbeat; the reason where they are refused for good. */
    Optional<String> settle(JsonNode answer) {
        int status = answer.path("status_code").asInt(202);
        if (status < 400) {
            outcomes.counted();
        } else if (status == 429 || status >= 500) {
            outcomes.unanswered();
        } else {
            outcomes.refused();
            return Optional.of(Json.text(answer, "detail"));
        }
        return Optional.empty();
    }

    /** The heartbeat that carried outcomes failed. What a replaced process executed is counted all the same. */
    void settle(AgentHealthException failure) {
        if (failure instanceof SupersededException) {
            outcomes.counted();
        } else {
            outcomes.unanswered();
        }
    }

    void record(Outcome outcome) {
        outcomes.add(outcome, parts.scheduler().nanoTime());
    }

    /** Whether there are as many outcomes as fit into one batch. */
    boolean isFull() {
        return outcomes.waiting() >= OutcomeQueue.MAX_BATCH;
    }

    /** Sends the outcomes in the background, unless that is being done. */
    void flushInBackground(String agentId) {
        if (flushing.compareAndSet(false, true)) {
            parts.scheduler().schedule(Duration.ZERO, () -> {
                flush(agentId);
                flushing.set(false);
            });
        }
    }

    void flush(String agentId) {
        OutcomeFlush.flush(parts.api(), agentId, outcomes);
    }

    /** Whether no work is left: no task and no lease. */
    boolean isIdle() {
        return work.load() == 0 && leases.isEmpty();
    }

    Work work() {
        return work;
    }

    HeldLeases leases() {
        return leases;
    }

    /** The number of outcomes that are lost. */
    long droppedOutcomes() {
        return outcomes.dropped();
    }
}
