package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.sweep.probes.ProbeQueue;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Has the watched agents probed whose probe a pass finds due. Thread-safe. */
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
     * Sends agents to the queue. Where that fails, the pass goes on: their next probe is due an interval later.
     *
     * @param others those of which no answer is expected: dead ones, and silent ones before their death
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
