package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The signs of life that an agent may declare beside its heartbeats: the registry then sends a heartbeat for it. */
public enum SignOfLife implements WireNamed {
    /** Calls by the gateway that succeed. */
    CALLS(SeenBy.CALL),
    /** Reports of outcomes: any of its own, and those of others that name a recent success. */
    OUTCOMES(SeenBy.OUTCOME),
    /** Spans of OpenTelemetry that ended recently. */
    SPANS(SeenBy.SPAN);

    private final SeenBy seenBy;

    SignOfLife(SeenBy seenBy) {
        this.seenBy = seenBy;
    }

    /** The name in heartbeats and records. */
    public SeenBy seenBy() {
        return seenBy;
    }
}
