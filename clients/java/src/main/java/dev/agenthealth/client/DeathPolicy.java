package dev.agenthealth.client;

/** What the client does for an agent that the registry considers dead, after the callback for its death. */
public enum DeathPolicy {
    /** Registers the agent again, unless another process did meanwhile. */
    REGISTER_AGAIN,
    /** Sends nothing more for the agent. The program goes on without the registry. */
    STOP
}
