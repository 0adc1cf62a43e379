package dev.agenthealth.model.sweep;

import dev.agenthealth.model.WireNamed;

/** Events that the sweep publishes, as they are counted for monitoring. */
public enum SweepEvent implements WireNamed {
    AGENT_UNHEALTHY,
    AGENT_DEAD,
    AGENT_DEREGISTERED,
    LEASE_EXPIRED,
    POOL_BELOW_MINIMUM
}
