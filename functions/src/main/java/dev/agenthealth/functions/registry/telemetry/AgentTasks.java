package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.runtime.threads.Waiting;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Works on the agents of a request concurrently.
 *
 * @param executor runs the work
 */
record AgentTasks(Executor executor) {

    /**
     * Works on all agents and waits until all work has ended, so that no work continues after the answer. Throws the exception of failed
     * work.
     */
    void forAll(Collection<String> agentIds, Consumer<String> work) {
        Waiting.on(CompletableFuture.allOf(agentIds.stream()
                .map(agentId -> CompletableFuture.runAsync(() -> work.accept(agentId), executor))
                .toArray(CompletableFuture[]::new)));
    }
}
