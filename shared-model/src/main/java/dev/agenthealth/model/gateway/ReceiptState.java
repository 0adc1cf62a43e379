package dev.agenthealth.model.gateway;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

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

    /** The state with this wire name; empty where there is none. */
    public static Optional<ReceiptState> ofWireName(String wireName) {
        return WireNamed.find(ReceiptState.class, wireName);
    }
}
