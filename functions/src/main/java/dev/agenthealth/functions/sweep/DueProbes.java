package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.sweep.probes.ProbeQueue;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

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
     * @param alive ids of agents from which an answer is expected
     * @param others ids of dead agents, and of agents that are silent
     */
    void send(List<String> alive, List<String> others, Instant now) {
        if (alive.isEmpty() && others.isEmpty()) {
            return;
        }
        List<ProbeQueue.Batch> batches = Stream.concat(
                        ProbeQueue.batches(alive).stream().map(ids -> new ProbeQueue.Batch(now, true, ids)),
                        ProbeQueue.batches(others).stream().map(ids -> new ProbeQueue.Batch(now, false, ids)))
                .toList();
        try {
            Waiting.onAll(batches, queue::send, executor);
        } catch (RuntimeException e) {
            log.failure("probes_not_sent", alive.size() + others.size() + " agents", e);
        }
        function.start();
    }
}
