package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * The lifecycle status of an agent, and everything that ends it.
 *
 * @param status the lifecycle status
 * @param since the beginning of this status
 * @param drain the drain under way, or {@link Drain#NONE}
 * @param cleanUp the incarnations with leases that have yet to be cleaned up, or {@link CleanUp#NONE}
 * @param dismissed whether an operator said that the agent is dead for good
 * @param lastEnd the end of the last registration, or {@link LastEnd#NONE}
 */
public record LifecycleState(
        LifecycleStatus status, Instant since, Drain drain, CleanUp cleanUp, boolean dismissed, LastEnd lastEnd) {

    LifecycleState with(Drain newDrain) {
        return new LifecycleState(status, since, newDrain, cleanUp, dismissed, lastEnd);
    }
}
