package dev.agenthealth.model.lifecycle;

import java.time.Duration;

/**
 * A drain that was requested and that the agent has not begun (RFC-0016 §5.3). Every heartbeat's answer carries it until the drain begins.
 *
 * @param reason why, in at most {@link #MAX_REASON} characters; empty where none was given
 * @param timeout how long the drain may last; zero where none is pending
 * @param requestedBy id of the key that requested it; empty where none is pending
 */
public record PendingDrain(String reason, Duration timeout, String requestedBy) {

    /** The longest reason, in characters: it is on the row that every heartbeat writes. */
    public static final int MAX_REASON = 64;

    /** No drain was requested. */
    public static final PendingDrain NONE = new PendingDrain("", Duration.ZERO, "");

    /** Returns whether a drain was requested. */
    public boolean isPending() {
        return !timeout.isZero();
    }
}
