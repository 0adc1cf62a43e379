package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedLimit;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The agents whose executions are limited, by a limit of their own or of their role or owner. Only the hours of these agents count executions without
 * usage: an hour that changes costs about 16 write units. Thread-safe.
 */
final class ExecutionLimits {

    private final PoolStore declared;
    private Optional<Set<LimitHolder>> holders = Optional.empty();

    ExecutionLimits(Database database) {
        this.declared = new PoolStore(database);
    }

    /** Begins a pass, which reads the shared limits anew if it needs them. */
    synchronized void beginPass() {
        holders = Optional.empty();
    }

    /**
     * Returns whether a limit counts the executions of an agent. Costs one query in a pass.
     *
     * @param own the limits of the agent
     * @param roleId the agent's role; empty without a role
     * @param ownerId the key that owns the agent; empty without an owner
     */
    boolean cover(UsageLimits own, String roleId, String ownerId) {
        return isOfExecutions(own)
                || holders().contains(LimitHolder.role(roleId))
                || holders().contains(LimitHolder.owner(ownerId));
    }

    private synchronized Set<LimitHolder> holders() {
        if (holders.isEmpty()) {
            holders = Optional.of(declared.watch().limits().stream()
                    .filter(limit -> isOfExecutions(limit.limits()))
                    .map(SharedLimit::holder)
                    .collect(Collectors.toSet()));
        }
        return holders.get();
    }

    private static boolean isOfExecutions(UsageLimits limits) {
        return limits.get(UsageLimit.EXECUTIONS_PER_HOUR).isPresent();
    }
}
