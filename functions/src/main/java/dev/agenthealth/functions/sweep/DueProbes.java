package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.sweep.probes.ProbeQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;

/** Sends watched agents to the queue of probes when their probe is due. Thread-safe. */
final class DueProbes {

    private final ProbeQueue queue;
    private final NextFunction function;
    private final Executor executor;
    private final Log log;

    /** @param function probes the agents in the queue */
    DueProbes(ProbeQueue queue, NextFunction function, Executor executor, Log log) {
        this.queue = queue;
        this.function = function;
        this.executor = executor;
        this.log = log;
    }

    /**
     * Sends agents to the queue. A failure does not stop the pass: the next probe of these agents is due one interval later.
     *
     * @param alive agents from which an answer is expected
     * @param others agents from which no answer is expected: dead agents, and agents past their heartbeat timeout
     */
    void send(List<ProbeQueue.Agent> alive, List<ProbeQueue.Agent> others, Instant now) {
        if (alive.isEmpty() && others.isEmpty()) {
            return;
        }
        // The agents of both kinds take turns: agents that are alive may be slow to answer.
        List<ProbeQueue.Batch> batches = new ArrayList<>();
        Iterator<List<ProbeQueue.Agent>> first = ProbeQueue.batches(alive).iterator();
        Iterator<List<ProbeQueue.Agent>> second = ProbeQueue.batches(others).iterator();
        while (first.hasNext() || second.hasNext()) {
            if (first.hasNext()) {
                batches.add(new ProbeQueue.Batch(now, true, first.next()));
            }
            if (second.hasNext()) {
                batches.add(new ProbeQueue.Batch(now, false, second.next()));
            }
        }
        try {
            Waiting.onAll(batches, queue::send, executor);
        } catch (RuntimeException e) {
            log.failure("probes_not_sent", alive.size() + others.size() + " agents", e);
        }
        function.start();
    }
}
