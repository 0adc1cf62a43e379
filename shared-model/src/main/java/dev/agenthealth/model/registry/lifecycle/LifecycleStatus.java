package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.util.List;

/** The lifecycle status: whether an agent can take work now (RFC-0016 §2.1). It is not health, score state or trust. */
public enum LifecycleStatus implements WireNamed {
    /** The registration request is being handled; never stored. */
    REGISTERING,
    /** Heartbeats arrive within the threshold. */
    ACTIVE,
    /** Finishes its work and takes no more. */
    DRAINING,
    /** Silent beyond {@code unhealthy_after_seconds}; may recover. */
    UNHEALTHY,
    /** Silent beyond {@code dead_after_seconds}, or its drain ran out; must register again. */
    DEAD,
    /** Left by itself or was removed; must register again. */
    DEREGISTERED;

    /** The statuses of agents whose heartbeats are expected. */
    public static final List<LifecycleStatus> MONITORED = List.of(ACTIVE, DRAINING, UNHEALTHY);

    /** The statuses from which only registration leads back. */
    public static final List<LifecycleStatus> GONE = List.of(DEAD, DEREGISTERED);

    /** Returns whether the sweep watches this agent's silence or its drain. */
    public boolean isMonitored() {
        return MONITORED.contains(this);
    }

    /** Returns whether heartbeats are answered with 410. */
    public boolean hasEnded() {
        return GONE.contains(this);
    }
}
