package dev.agenthealth.model.registry.workflow;

import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Duration;
import java.util.List;

/**
 * The declarations that agents of a role inherit if they make none (RFC-0016 §12). They are complete and valid: fixed defaults replace everything
 * that the workflow leaves out.
 *
 * @param roleId the role; empty in {@link #NONE}
 * @param capabilities the tags without repeats, in the given order; may be empty
 * @param maxConcurrentTasks the maximum number of concurrent tasks, or {@link Workload#NOT_DECLARED}
 * @param heartbeat the interval and the thresholds
 * @param drainTimeout the length of a drain if neither the request nor a command says one
 * @param pool the wanted number of instances
 * @param contact the people who take care of the agents
 * @param limits the limits that all agents of the role share
 */
public record RoleDefaults(
        String roleId,
        List<String> capabilities,
        int maxConcurrentTasks,
        HeartbeatConfig heartbeat,
        Duration drainTimeout,
        PoolSize pool,
        RoleContact contact,
        UsageLimits limits) {

    /** The declarations of a role without a workflow. */
    public static final RoleDefaults NONE = new RoleDefaults(
            "",
            List.of(),
            Workload.NOT_DECLARED,
            HeartbeatConfig.DEFAULT,
            Drain.DEFAULT_TIMEOUT,
            PoolSize.ANY,
            RoleContact.NONE,
            UsageLimits.NONE);

    public RoleDefaults {
        capabilities = List.copyOf(capabilities);
    }
}
