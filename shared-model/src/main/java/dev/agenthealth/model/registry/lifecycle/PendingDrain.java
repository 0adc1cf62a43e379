package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;

/**
 * A drain that was requested and that the agent has not begun (RFC-0016 §5.3). Every heartbeat's answer carries it until the drain begins.
 *
 * @param reason why, in at most {@link #MAX_REASON} characters; empty where none was given
 * @param timeout how long the drain may last; zero where none is pending
 * @param requestedBy id of the key that requested it, or {@link #REGISTRY}; empty where none is pending
 * @param restarts whether the process is to end after the drain in a way that its supervisor starts it anew
 */
public record PendingDrain(String reason, Duration timeout, String requestedBy, boolean restarts) {

    /** The requester of what an agent declared itself. */
    public static final String REGISTRY = "registry";

    /** The longest reason, in characters: it is on the row that every heartbeat writes. */
    public static final int MAX_REASON = 64;

    /** No drain was requested. */
    public static final PendingDrain NONE = new PendingDrain("", Duration.ZERO, "");

    /** A drain without a restart. */
    public PendingDrain(String reason, Duration timeout, String requestedBy) {
        this(reason, timeout, requestedBy, false);
    }

    /** The name of the command. */
    public String command() {
        return restarts ? "restart" : "drain";
    }

    /** Returns whether a drain was requested. */
    public boolean isPending() {
        return !timeout.isZero();
    }
}
