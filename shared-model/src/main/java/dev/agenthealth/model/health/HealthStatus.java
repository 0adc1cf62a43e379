package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** The health status of an agent, which follows from its outcomes and its lifecycle status (Agent Health State §4.3). */
public enum HealthStatus implements WireNamed {
    HEALTHY(0),
    DEGRADED(1),
    UNHEALTHY(2),
    UNKNOWN(0);

    private final int severity;

    HealthStatus(int severity) {
        this.severity = severity;
    }

    /**
     * Returns the change from the published status to this one. A change to unknown is no fall, but a later change to degraded is.
     *
     * @param lastKnown the last published status other than unknown; {@link #UNKNOWN} before the first such event
     */
    Published.Change changeFrom(HealthStatus published, HealthStatus lastKnown) {
        if (this == published) {
            return Published.Change.NONE;
        }
        if (this == UNKNOWN || severity == lastKnown.severity) {
            return Published.Change.OTHER;
        }
        return severity > lastKnown.severity ? Published.Change.FALL : Published.Change.RETURN;
    }

    /**
     * Returns the health status under a lifecycle status, if this one follows from the outcomes alone. A dead agent is unhealthy. An agent with
     * missing heartbeats is degraded at best. A deregistered agent keeps its status, since leaving is no failure. {@link Measurement#status} follows
     * the same rule.
     */
    public HealthStatus under(LifecycleStatus lifecycle) {
        if (lifecycle == LifecycleStatus.DEAD) {
            return UNHEALTHY;
        }
        return this == HEALTHY && lifecycle == LifecycleStatus.UNHEALTHY ? DEGRADED : this;
    }
}
