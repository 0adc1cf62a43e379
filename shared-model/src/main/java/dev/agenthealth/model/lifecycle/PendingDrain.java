package dev.agenthealth.model.lifecycle;

import java.time.Duration;

/**
 * A drain that somebody asked for and the agent has not begun (RFC-0016 §5.3). It is delivered with every heartbeat's answer until it is
 * obeyed.
 *
 * @param reason why, in at most {@link #MAX_REASON} characters; empty where nobody said
 * @param timeout how long the drain may last; zero where none is pending
 */
public record PendingDrain(String reason, Duration timeout) {

    /** The longest reason, in characters: it rides on the row that every heartbeat pays for. */
    public static final int MAX_REASON = 64;

    /** Nobody asked for a drain. */
    public static final PendingDrain NONE = new PendingDrain("", Duration.ZERO);

    /** Whether a drain was asked for. */
    public boolean isPending() {
        return !timeout.isZero();
    }
}
