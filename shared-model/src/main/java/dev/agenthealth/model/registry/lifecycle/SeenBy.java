package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The last sign of life of an agent: its own heartbeat, or something for which the registry sends one. */
public enum SeenBy implements WireNamed {
    HEARTBEAT,
    /** A request to its ping address. */
    PING,
    /** Its answer to a request of the registry. */
    PROBE,
    /** Its answer to a call by the gateway. */
    CALL,
    /** A report of an outcome. */
    OUTCOME,
    /** Spans of OpenTelemetry. */
    SPAN
}
