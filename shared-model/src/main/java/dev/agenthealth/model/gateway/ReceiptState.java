package dev.agenthealth.model.gateway;

import dev.agenthealth.model.WireNamed;

/** The state of an invocation. */
public enum ReceiptState implements WireNamed {
    /** The invocation waits in the queue. */
    ACCEPTED,
    /** The gateway is calling the agent. */
    RUNNING,
    /** The agent completed the request or is working on it. */
    SUCCEEDED,
    /** The invocation ended without success. */
    FAILED;
}
