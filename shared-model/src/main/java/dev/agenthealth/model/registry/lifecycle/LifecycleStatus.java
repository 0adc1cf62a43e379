package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.util.List;

/**
 * The lifecycle status of an agent. It answers one question: can the agent take work now (RFC-0016 §2.1)? An agent that registers is active. Missing
 * heartbeats make it unhealthy and later dead, a request makes it draining, and leaving makes it deregistered.
 *
 * <p>The status depends on signs of life and on requests, and not on results. An agent that fails every execution is active as long as it sends
 * heartbeats. {@link dev.agenthealth.model.health.HealthStatus} judges results, and {@link dev.agenthealth.model.health.Verdict} combines both.
 *
 * <p>{@link LifecycleTransitions} has the permitted changes. Each change is a {@link Transition}, which is stored together with its event. An
 * unhealthy agent recovers with one heartbeat. A dead or deregistered agent has to register again: its heartbeats are answered with 410, because
 * other agents may have taken over its work.
 */
public enum LifecycleStatus implements WireNamed {
    /** The registration is being handled. This status is never stored. */
    REGISTERING,
    /** Heartbeats arrive within the threshold. The agent takes work. */
    ACTIVE,
    /** The agent finishes its work and takes no more. */
    DRAINING,
    /** The agent sent no heartbeats for longer than {@code unhealthy_after_seconds}. It may recover. */
    UNHEALTHY,
    /** The agent sent no heartbeats for longer than {@code dead_after_seconds}, or its drain timed out. It has to register again. */
    DEAD,
    /** The agent left or was removed. It has to register again. */
    DEREGISTERED;

    /** The statuses in which heartbeats are expected. */
    public static final List<LifecycleStatus> MONITORED = List.of(ACTIVE, DRAINING, UNHEALTHY);

    /** The statuses that only a registration ends. */
    public static final List<LifecycleStatus> GONE = List.of(DEAD, DEREGISTERED);

    /** Returns whether the sweep watches the agent's heartbeats or drain. */
    public boolean isMonitored() {
        return MONITORED.contains(this);
    }

    /** Returns whether a heartbeat is answered with 410. */
    public boolean hasEnded() {
        return GONE.contains(this);
    }
}
