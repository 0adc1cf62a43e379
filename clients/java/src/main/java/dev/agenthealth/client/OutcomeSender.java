package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Sends the outcomes of an agent in requests of their own, without a heartbeat. The session's lock guards the queue. */
final class OutcomeSender {

    private final Object lock;
    private final ClientContext context;
    private final OwnRegistration registration;
    private final OutcomeQueue outcomes;
    private boolean running;

    OutcomeSender(Object lock, ClientContext context, OwnRegistration registration, OutcomeQueue outcomes) {
        this.lock = lock;
        this.context = context;
        this.registration = registration;
        this.outcomes = outcomes;
    }

    /** Returns whether {@link #run} has to be called, because a whole batch waits and is not being sent. */
    boolean begin() {
        synchronized (lock) {
            boolean begins = outcomes.isFull() && !running;
            running |= begins;
            return begins;
        }
    }

    /** Sends outcomes after {@link #begin}. */
    void run() {
        flush();
        synchronized (lock) {
            running = false;
        }
    }

    /** Sends outcomes without a heartbeat until none waits or a request fails; unanswered outcomes stay in the queue. */
    void flush() {
        Optional<OutcomeQueue.Batch> batch = nextBatch();
        while (batch.isPresent() && send(batch.get())) {
            batch = nextBatch();
        }
    }

    private Optional<OutcomeQueue.Batch> nextBatch() {
        synchronized (lock) {
            return outcomes.take();
        }
    }

    private boolean send(OutcomeQueue.Batch batch) {
        ObjectNode body = Json.object();
        batch.putInto(body);
        Call call = Call.post("/api/v1/agents").segment(registration.agentId()).path("/outcomes");
        try {
            context.api().sendOnce(call.body(body));
            synchronized (lock) {
                outcomes.counted();
            }
            return true;
        } catch (RuntimeException e) {
            boolean refused =
                    e instanceof ProblemException problem && (problem.status() == 400 || problem.status() == 422);
            synchronized (lock) {
                if (refused) {
                    outcomes.refused();
                } else {
                    outcomes.unanswered();
                }
            }
            return refused;
        }
    }
}
