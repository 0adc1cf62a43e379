package dev.agenthealth.model.gateway;

import dev.agenthealth.model.WireNamed;

/** The states of an invocation. */
public enum ReceiptState implements WireNamed {
    /** It waits in the queue. */
    ACCEPTED,
    /** The agent is being called. */
    RUNNING,
    /** The agent completed the request, or is working on it. */
    SUCCEEDED,
    /** It ended without the agent's success. */
    FAILED;
}
