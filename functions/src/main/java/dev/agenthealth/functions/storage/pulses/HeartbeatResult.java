package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.registry.lifecycle.Pulse;

/** The result of the write of a heartbeat. */
public sealed interface HeartbeatResult {

    /**
     * The heartbeat was counted, and no other attribute changes.
     *
     * @param retried whether the write was sent more than once; the heartbeat may then be counted more than once
     */
    record Counted(Pulse after, boolean retried) implements HeartbeatResult {}

    /** The heartbeat was not written: the row has another key or incarnation, or a status that the heartbeat changes. */
    record NotCounted(Pulse seen) implements HeartbeatResult {}

    /** The heartbeat was not written: there is no row. */
    record NoPulse() implements HeartbeatResult {}
}
