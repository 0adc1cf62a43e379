package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.probes.ProbeQueue;
import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.functions.worker.NextFunction;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;

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

    /** Sends agents to the queue. Where that fails, the pass goes on: their next probe is due an interval later. */
    void send(List<String> agentIds, Instant now) {
        if (agentIds.isEmpty()) {
            return;
        }
        try {
            Waiting.onAll(ProbeQueue.portions(agentIds), portion -> queue.send(portion, now), executor);
        } catch (RuntimeException e) {
            log.failure("probes_not_sent", agentIds.size() + " agents", e);
        }
        function.start();
    }
}
