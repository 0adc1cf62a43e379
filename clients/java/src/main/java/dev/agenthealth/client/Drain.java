package dev.agenthealth.client;

import java.time.Duration;

/**
 * The agent is to finish its work and take no more (RFC-0016 §5).
 *
 * @param cause why it drains
 * @param reason for people; may be empty
 * @param timeout how long the agent may take; zero where the registry does not say
 */
public record Drain(Cause cause, String reason, Duration timeout) {

    /** Why an agent drains. */
    public enum Cause {
        /** A coordinator or an operator asked for it. */
        COMMAND,
        /** An operator has ended the agent: its leases are lost, and it sends no more heartbeats. */
        ENDED,
        /** The process is to restart, as one that is stuck. */
        RESTART,
        /** The program closes the agent, or asked for the drain. */
        CLOSE,
        /** The JVM shuts down. */
        SHUTDOWN
    }
}
