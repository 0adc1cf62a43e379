package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** An observation that an agent may declare as a sign of life besides its heartbeats. The registry then sends a heartbeat for the agent. */
public enum SignOfLife implements WireNamed {
    /** Successful calls by the gateway. */
    CALLS(SeenBy.CALL),
    /** Reports of outcomes: any report by the agent itself, and reports of recent successes by others. */
    OUTCOMES(SeenBy.OUTCOME),
    /** Spans of OpenTelemetry that ended recently. */
    SPANS(SeenBy.SPAN);

    private final SeenBy seenBy;

    SignOfLife(SeenBy seenBy) {
        this.seenBy = seenBy;
    }

    /** Returns the name in heartbeats and records. */
    public SeenBy seenBy() {
        return seenBy;
    }
}
