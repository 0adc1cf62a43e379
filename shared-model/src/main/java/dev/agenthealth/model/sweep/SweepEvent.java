package dev.agenthealth.model.sweep;

import dev.agenthealth.model.WireNamed;

/** The events that the sweep publishes, as counted for monitoring. */
public enum SweepEvent implements WireNamed {
    AGENT_UNHEALTHY,
    AGENT_DEAD,
    AGENT_DEREGISTERED,
    LEASE_EXPIRED,
    POOL_BELOW_MINIMUM
}
