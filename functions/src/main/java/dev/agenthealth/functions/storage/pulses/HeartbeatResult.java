package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.registry.lifecycle.Pulse;

/** The result of the write of a heartbeat. */
public sealed interface HeartbeatResult {

    /**
     * The heartbeat was counted; nothing else changes.
     *
     * @param retried whether the write was sent more than once: it may be counted more than once
     */
    record Counted(Pulse after, boolean retried) implements HeartbeatResult {}

    /** Not written: the row has another key or incarnation, or a status that the heartbeat changes. */
    record NotCounted(Pulse seen) implements HeartbeatResult {}

    /** Not written: there is no row. */
    record NoPulse() implements HeartbeatResult {}
}
