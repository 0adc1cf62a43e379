package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The last sign of life of an agent: its own heartbeat, or an observation for which the registry sends a heartbeat. */
public enum SeenBy implements WireNamed {
    HEARTBEAT,
    /** A request to the agent's ping address. */
    PING,
    /** The agent's answer to a probe. */
    PROBE,
    /** The agent's answer to a call by the gateway. */
    CALL,
    /** A report of an outcome. */
    OUTCOME,
    /** Spans of OpenTelemetry. */
    SPAN
}
