package dev.agenthealth.model.registry.workflow;

import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Duration;
import java.util.List;

/**
 * The declarations that agents of a role inherit where they make none (RFC-0016 §12), complete and valid: what the workflow leaves out has
 * the fixed defaults.
 *
 * @param roleId the role; empty in {@link #NONE}
 * @param capabilities tags without repeats, in the order given; empty for none
 * @param maxConcurrentTasks tasks at once, or {@link Workload#NOT_DECLARED}
 * @param heartbeat interval and thresholds
 * @param drainTimeout how long a drain lasts where neither the request nor a command says
 * @param pool how many instances there should be
 */
public record RoleDefaults(
        String roleId,
        List<String> capabilities,
        int maxConcurrentTasks,
        HeartbeatConfig heartbeat,
        Duration drainTimeout,
        PoolSize pool) {

    /** The declarations of a role that no workflow declares. */
    public static final RoleDefaults NONE = new RoleDefaults(
            "", List.of(), Workload.NOT_DECLARED, HeartbeatConfig.DEFAULT, Drain.DEFAULT_TIMEOUT, PoolSize.ANY);

    public RoleDefaults {
        capabilities = List.copyOf(capabilities);
    }
}
