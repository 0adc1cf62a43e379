package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** The health status of an agent (Agent Health State §4.3). */
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
     * Returns the change from the published status to this one. Becoming unknown is no fall, but becoming degraded afterwards is.
     *
     * @param lastKnown the last published status other than unknown; {@link #UNKNOWN} where there was none
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
     * The health status of an agent that has this one by its outcomes alone: unhealthy where it is dead, degraded at best where it is silent. An
     * agent that is deregistered keeps this one, since leaving is no failure. {@link Measurement#status} says the same.
     */
    public HealthStatus under(LifecycleStatus lifecycle) {
        if (lifecycle == LifecycleStatus.DEAD) {
            return UNHEALTHY;
        }
        return this == HEALTHY && lifecycle == LifecycleStatus.UNHEALTHY ? DEGRADED : this;
    }
}
