package dev.agenthealth.model.lifecycle;

import dev.agenthealth.model.WireNamed;

/** What an agent may declare as a sign of life beside its heartbeats: the registry then sends a heartbeat for it. */
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

    /** How heartbeats and records name it. */
    public SeenBy seenBy() {
        return seenBy;
    }
}
