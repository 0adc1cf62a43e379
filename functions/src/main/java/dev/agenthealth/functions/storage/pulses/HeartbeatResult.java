package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.lifecycle.Pulse;

/** What became of the one write of a heartbeat. */
public sealed interface HeartbeatResult {

    /** The heartbeat was counted; nothing else changes. */
    record Counted(Pulse after) implements HeartbeatResult {}

    /** Not written: the row is of another key, gone, or about to change its status. */
    record NotCounted(Pulse seen) implements HeartbeatResult {}

    /** Not written: there is no row. */
    record NoPulse() implements HeartbeatResult {}
}
