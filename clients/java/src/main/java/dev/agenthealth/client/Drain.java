package dev.agenthealth.client;

import java.time.Duration;

/**
 * A drain: the agent has to finish its work and to take no more (RFC-0016 §5).
 *
 * @param cause the cause of the drain
 * @param reason for people; may be empty
 * @param timeout the maximum time of the drain; zero if the registry names none
 */
public record Drain(Cause cause, String reason, Duration timeout) {

    /** The cause of a drain. */
    public enum Cause {
        /** A coordinator or an operator requested the drain. */
        COMMAND,
        /** An operator has ended the agent: its leases are lost, and it sends no more heartbeats. */
        ENDED,
        /** The process has to restart, for example because it is stuck. */
        RESTART,
        /** The program closes the agent, or requested the drain. */
        CLOSE,
        /** The JVM shuts down. */
        SHUTDOWN
    }
}
